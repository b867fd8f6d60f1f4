//! Key expansion (FIPS 197, section 5.2) over any SubWord. Written once for the portable kernels.

use super::EncryptKeys;

/// Writes the round keys of `key`, if AES has keys of its length.
#[inline(always)]
pub(super) fn expand(key: &[u8], keys: &mut EncryptKeys, sub_word: impl Fn(u32) -> u32) {
    let Some(mut schedule) = keys.schedule_for(key.len()) else { return };
    let words = schedule.as_mut_slice().as_flattened_mut().as_chunks_mut::<4>().0;
    let key_words = key.as_chunks().0;
    words[..key_words.len()].copy_from_slice(key_words);
    let mut round_constant = 1u32;
    let mut previous = u32::from_le_bytes(words[key_words.len() - 1]);
    // The place of a word among as many as the key has, counted: a remainder would be a division.
    let mut place = 0;
    for i in key_words.len()..words.len() {
        // Words are read in little-endian order, in which RotWord is a rotation to the right.
        if place == 0 {
            previous = sub_word(previous.rotate_right(8)) ^ round_constant;
            round_constant = (round_constant << 1) ^ ((round_constant >> 7) * 0x11b);
        } else if key_words.len() > 6 && place == 4 {
            previous = sub_word(previous);
        }
        previous ^= u32::from_le_bytes(words[i - key_words.len()]);
        words[i] = previous.to_le_bytes();
        place = if place + 1 == key_words.len() { 0 } else { place + 1 };
    }
}
