//! Bit-sliced: four blocks at once in eight 64-bit words, one word for each bit of a byte. There is no table, no branch
//! and no address that depends on key or data, on any processor.
//!
//! The bit of the byte in row r and column c of block b stands at position 16 r + 4 c + b, so that ShiftRows rotates
//! inside 16-bit lanes and MixColumns rotates whole words. The S-box is the circuit of J. Boyar and R. Peralta ("A
//! small depth-16 circuit for the AES S-box", SEC 2012; here in its variant of 113 gates); the inverse S-box is the
//! S-box between two inverse affine maps. The idea of slicing words goes back to E. Biham (FSE 1997), and for AES in
//! small groups to E. Käsper and P. Schwabe (CHES 2009).
//!
//! Bound by integer operations: about 290 a round for 64 bytes, 113 of them the S-box's gates and 96 the shifting of
//! rows, and by the moves between memory and registers, as the S-box has more values alive than there are registers.

use inout::InOutBuf;

use super::{Block, DecryptKeys, EncryptKeys, composition, expansion};
use crate::simd::as_chunks;

kernel! {
    isa: [], timing: Constant,

    name: "aes.expand_key/portable_bitslice64", primitive: super::ExpandKey,
    fn expand_key(key: &[u8], keys: &mut EncryptKeys) {
        expansion::expand(key, keys, sub_word);
    }

    name: "aes.invert_key/portable_bitslice64", primitive: super::InvertKey,
    fn invert_key(encrypt: &EncryptKeys, decrypt: &mut DecryptKeys) {
        let mut inverted = decrypt.schedule_like(encrypt);
        let schedule = encrypt.schedule();
        for (to, from) in inverted.as_mut_slice().iter_mut().zip(schedule.as_slice().iter().rev()) {
            *to = *from;
        }
        let last = schedule.as_slice().len() - 1;
        for keys in inverted.as_mut_slice()[1..last].chunks_mut(BLOCKS) {
            let mut group = [[0; 16]; BLOCKS];
            group[..keys.len()].copy_from_slice(keys);
            let mut state = slice(&group);
            inverse_mix_columns(&mut state);
            keys.copy_from_slice(&unslice(&state)[..keys.len()]);
        }
    }

    name: "aes.encrypt_blocks/portable_bitslice64", primitive: super::EncryptBlocks,
    fn encrypt_blocks(keys: &EncryptKeys, blocks: InOutBuf<'_, '_, Block>) {
        let keys = SlicedKeys::new(keys.schedule().as_slice());
        each_group(blocks, |group| keys.encrypt(group));
    }

    name: "aes.decrypt_blocks/portable_bitslice64", primitive: super::DecryptBlocks,
    fn decrypt_blocks(keys: &DecryptKeys, blocks: InOutBuf<'_, '_, Block>) {
        let keys = SlicedKeys::new(keys.schedule().as_slice());
        each_group(blocks, |group| keys.decrypt(group));
    }

    name: "aes.cbc_encrypt/portable_bitslice64", primitive: super::CbcEncrypt,
    fn cbc_encrypt(keys: &EncryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let keys = SlicedKeys::new(keys.schedule().as_slice());
        composition::cbc_encrypt(chain, blocks, |blocks| each_group(blocks, |group| keys.encrypt(group)));
    }

    name: "aes.cbc_encrypt_lanes/portable_bitslice64", primitive: super::CbcEncryptLanes,
    fn cbc_encrypt_lanes(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]) {
        composition::cbc_encrypt_lanes(keys, chains, messages, cbc_encrypt);
    }

    name: "aes.cbc_decrypt/portable_bitslice64", primitive: super::CbcDecrypt,
    fn cbc_decrypt(keys: &DecryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let keys = SlicedKeys::new(keys.schedule().as_slice());
        composition::cbc_decrypt::<BLOCKS>(chain, blocks, |blocks| each_group(blocks, |group| keys.decrypt(group)));
    }

    name: "aes.ctr/portable_bitslice64", primitive: super::Ctr,
    fn ctr(keys: &EncryptKeys, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let keys = SlicedKeys::new(keys.schedule().as_slice());
        composition::ctr::<BLOCKS>(counter, blocks, |blocks| each_group(blocks, |group| keys.encrypt(group)));
    }
}

/// Encrypts every block on its own: for other families, whose kernels on the portable floor are constant in time too.
pub(crate) fn encrypt_bit_sliced(keys: &EncryptKeys, blocks: InOutBuf<'_, '_, Block>) {
    let keys = SlicedKeys::new(keys.schedule().as_slice());
    each_group(blocks, |group| keys.encrypt(group));
}

/// Blocks that go through the cipher together.
const BLOCKS: usize = 4;

/// Word i holds bit i of every byte.
type State = [u64; 8];

/// Round keys, each in all four blocks.
struct SlicedKeys {
    keys: [State; 15],
    count: usize,
}

impl SlicedKeys {
    fn new(schedule: &[Block]) -> Self {
        let mut keys = [[0; 8]; 15];
        for (sliced, key) in keys.iter_mut().zip(schedule) {
            *sliced = slice(&[*key; BLOCKS]);
        }
        SlicedKeys { keys, count: schedule.len() }
    }

    fn encrypt(&self, blocks: &[Block; BLOCKS]) -> [Block; BLOCKS] {
        self.rounds(blocks, substitute, mix_columns)
    }

    fn decrypt(&self, blocks: &[Block; BLOCKS]) -> [Block; BLOCKS] {
        self.rounds(blocks, inverse_substitute, inverse_mix_columns)
    }

    /// The cipher, or the equivalent inverse cipher: every round substitutes and shifts, all but the last mix.
    #[inline(always)]
    fn rounds(
        &self,
        blocks: &[Block; BLOCKS],
        substitute: impl Fn(&mut State),
        mix: impl Fn(&mut State),
    ) -> [Block; BLOCKS] {
        let [first, rounds @ .., last] = &self.keys[..self.count] else { return *blocks };
        let mut state = slice(blocks);
        add(&mut state, first);
        for key in rounds {
            substitute(&mut state);
            mix(&mut state);
            add(&mut state, key);
        }
        substitute(&mut state);
        add(&mut state, last);
        unslice(&state)
    }
}

impl Drop for SlicedKeys {
    fn drop(&mut self) {
        self.keys = [[0; 8]; 15];
        zeroize::optimization_barrier(&self.keys);
    }
}

/// Runs the cipher over blocks in groups of four; the last group is filled up.
#[inline(always)]
fn each_group(blocks: InOutBuf<'_, '_, Block>, cipher: impl Fn(&[Block; BLOCKS]) -> [Block; BLOCKS]) {
    let (groups, mut rest) = as_chunks::<Block, BLOCKS>(blocks);
    for mut group in groups {
        *group.get_out() = cipher(group.get_in());
    }
    if !rest.is_empty() {
        let mut group = [[0; 16]; BLOCKS];
        group[..rest.len()].copy_from_slice(rest.get_in());
        let count = rest.len();
        rest.get_out().copy_from_slice(&cipher(&group)[..count]);
    }
}

/// Each word takes every other column of one block, byte by byte, so that neighbouring positions stand in one byte of
/// the eight words; then those bytes are 8 by 8 matrices of bits, which are transposed.
#[inline(always)]
fn slice(blocks: &[Block; BLOCKS]) -> State {
    let mut state = [0; 8];
    for (b, block) in blocks.iter().enumerate() {
        let (columns, _) = block.as_chunks().0.as_chunks::<2>();
        for half in 0..2 {
            let [left, right] = [columns[0][half], columns[1][half]].map(u32::from_le_bytes);
            state[4 * half + b] = spread(left) | spread(right) << 8;
        }
    }
    transpose(&mut state);
    state
}

#[inline(always)]
fn unslice(state: &State) -> [Block; BLOCKS] {
    let mut state = *state;
    transpose(&mut state);
    std::array::from_fn(|b| {
        let columns = [state[b], state[4 + b], state[b] >> 8, state[4 + b] >> 8].map(|word| gather(word).to_le_bytes());
        let mut block = [0; 16];
        block.as_chunks_mut().0.copy_from_slice(&columns);
        block
    })
}

/// Bytes to even bytes.
#[inline(always)]
fn spread(x: u32) -> u64 {
    let x = u64::from(x);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Even bytes to bytes.
#[inline(always)]
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Transposes the eight matrices of bits that the bytes of eight words are, by swapping ever larger blocks across the
/// diagonal (H. S. Warren, "Hacker's Delight", section 7-3).
#[inline(always)]
fn transpose(rows: &mut State) {
    for (distance, mask) in [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)] {
        for upper in (0..8).filter(|row| row & distance == 0) {
            let lower = upper + distance;
            let swapped = (rows[upper] >> distance ^ rows[lower]) & mask;
            rows[upper] ^= swapped << distance;
            rows[lower] ^= swapped;
        }
    }
}

#[inline(always)]
fn add(state: &mut State, key: &State) {
    for (word, key) in state.iter_mut().zip(key) {
        *word ^= key;
    }
}

/// SubBytes and ShiftRows.
#[inline(always)]
fn substitute(state: &mut State) {
    sub_bytes(state);
    *state = state.map(shift_rows);
}

#[inline(always)]
fn inverse_substitute(state: &mut State) {
    inverse_sub_bytes(state);
    *state = state.map(inverse_shift_rows);
}

/// Row r moves by r columns of four bits: rows two and three by eight bits, then rows one and three by four.
#[inline(always)]
fn shift_rows(word: u64) -> u64 {
    let swapped = (word ^ word >> 8) & 0x00ff_00ff_0000_0000;
    let word = word ^ swapped ^ swapped << 8;
    word & 0x0000_ffff_0000_ffff | word >> 4 & 0x0fff_0000_0fff_0000 | word << 12 & 0xf000_0000_f000_0000
}

#[inline(always)]
fn inverse_shift_rows(word: u64) -> u64 {
    let swapped = (word ^ word >> 8) & 0x00ff_00ff_0000_0000;
    let word = word ^ swapped ^ swapped << 8;
    word & 0x0000_ffff_0000_ffff | word << 4 & 0xfff0_0000_fff0_0000 | word >> 12 & 0x000f_0000_000f_0000
}

/// Each byte becomes 2 a + 3 b + c + d, with b, c and d from the rows below, cyclically (FIPS 197, section 5.1.3).
#[inline(always)]
fn mix_columns(state: &mut State) {
    let pairs = state.map(|a| a ^ a.rotate_right(16));
    let doubled = double(&pairs);
    *state = std::array::from_fn(|i| doubled[i] ^ state[i].rotate_right(16) ^ pairs[i].rotate_right(32));
}

/// InvMixColumns is MixColumns after adding 4 (a + c) to a: its matrix is that of MixColumns times circ(5, 0, 4, 0).
#[inline(always)]
fn inverse_mix_columns(state: &mut State) {
    let quadrupled = double(&double(&state.map(|a| a ^ a.rotate_right(32))));
    add(state, &quadrupled);
    mix_columns(state);
}

/// Twice every byte in GF(2^8): bits move up by one, and the topmost comes back in at bits 0, 1, 3 and 4.
#[inline(always)]
fn double(x: &State) -> State {
    [x[7], x[0] ^ x[7], x[1], x[2] ^ x[7], x[3] ^ x[7], x[4], x[5], x[6]]
}

fn sub_word(word: u32) -> u32 {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&word.to_le_bytes());
    let mut state = slice(&[block, [0; 16], [0; 16], [0; 16]]);
    sub_bytes(&mut state);
    let [block, ..] = unslice(&state);
    u32::from_le_bytes([block[0], block[1], block[2], block[3]])
}

/// The inverse of the affine step of the S-box (the matrix of FIPS 197, equation 5.1, inverted).
#[inline(always)]
fn inverse_affine(x: &mut State) {
    let y = *x;
    *x = std::array::from_fn(|i| y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8]);
    // The constant is 0x05.
    x[0] = !x[0];
    x[2] = !x[2];
}

/// The S-box is an inversion and then an affine map: undoing the map on both sides leaves the inverse S-box.
#[inline(always)]
fn inverse_sub_bytes(state: &mut State) {
    inverse_affine(state);
    sub_bytes(state);
    inverse_affine(state);
}

/// The circuit, in the paper's names: linear maps around an inversion in the tower field GF(((2^2)^2)^2).
#[inline(always)]
fn sub_bytes(state: &mut State) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *state;

    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let t2 = y12 & y15;
    let t4 = (y3 & y6) ^ t2;
    let t6 = (y4 & x7) ^ t2;
    let t7 = y13 & y16;
    let t9 = (y5 & y1) ^ t7;
    let t11 = (y2 & y7) ^ t7;
    let t12 = y9 & y11;
    let t14 = (y14 & y17) ^ t12;
    let t16 = (y8 & y10) ^ t12;
    let t21 = t4 ^ t14 ^ y20;
    let t22 = t6 ^ t16 ^ y19;
    let t23 = t9 ^ t14 ^ y21;
    let t24 = t11 ^ t16 ^ y18;

    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t29 = (t25 & t27) ^ t22;
    let t30 = t23 ^ t24;
    let t33 = ((t22 ^ t26) & t30) ^ t24;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t23 ^ t33;
    let t38 = t27 ^ t36;
    let t40 = t25 ^ (t29 & t38);
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;

    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;

    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;

    *state = [t48 ^ !t60, t56 ^ !t62, t47 ^ t65, t51 ^ t66, s3, t55 ^ !t67, t64 ^ !s3, t59 ^ t63];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aes::sbox::{INVERSE, SBOX};

    #[test]
    fn slicing_comes_back() {
        let blocks: [Block; BLOCKS] = std::array::from_fn(|b| std::array::from_fn(|i| (61 * b + 7 * i) as u8));
        assert_eq!(unslice(&slice(&blocks)), blocks);
    }

    #[test]
    fn the_circuits_are_the_tables() {
        for x in 0..=255u8 {
            let through = |circuit: fn(&mut State)| {
                let mut state = slice(&[[x; 16]; BLOCKS]);
                circuit(&mut state);
                unslice(&state)[3][15]
            };
            assert_eq!(through(sub_bytes), SBOX[usize::from(x)]);
            assert_eq!(through(inverse_sub_bytes), INVERSE[usize::from(x)]);
        }
    }
}
