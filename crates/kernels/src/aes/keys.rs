//! The one layout of round keys that all kernels share.

use zeroize::{ZeroizeOnDrop, optimization_barrier};

/// 16 bytes.
pub type Block = [u8; 16];

/// The round keys for encryption, in the order of use. Wiped on drop. Fresh ones, or ones made from a key of a length
/// that AES does not have, are all zero with ten rounds.
#[derive(Clone, Default)]
pub struct EncryptKeys(RoundKeys);

/// The round keys of the equivalent inverse cipher, in the order of use: InvMixColumns is applied to all but the first
/// and the last. Wiped on drop.
#[derive(Clone, Default)]
pub struct DecryptKeys(RoundKeys);

#[derive(Clone, Default)]
#[repr(C, align(16))]
struct RoundKeys {
    keys: [Block; MOST],
    size: Size,
}

/// Round keys of the longest key: one more than its fourteen rounds.
const MOST: usize = 15;

#[derive(Clone, Copy, Default)]
enum Size {
    #[default]
    Aes128,
    Aes192,
    Aes256,
}

/// The round keys that a key size has, so that kernels can unroll their rounds.
#[derive(Clone, Copy)]
pub enum Schedule<'a> {
    /// Ten rounds.
    Aes128(&'a [Block; 11]),
    /// Twelve rounds.
    Aes192(&'a [Block; 13]),
    /// Fourteen rounds.
    Aes256(&'a [Block; 15]),
}

/// The same, to be written.
pub(super) enum ScheduleMut<'a> {
    Aes128(&'a mut [Block; 11]),
    Aes192(&'a mut [Block; 13]),
    Aes256(&'a mut [Block; 15]),
}

impl RoundKeys {
    #[inline(always)]
    fn schedule(&self) -> Schedule<'_> {
        let [head @ .., _, _] = &self.keys;
        match self.size {
            Size::Aes128 => {
                let [head @ .., _, _] = head;
                Schedule::Aes128(head)
            }
            Size::Aes192 => Schedule::Aes192(head),
            Size::Aes256 => Schedule::Aes256(&self.keys),
        }
    }

    #[inline(always)]
    fn schedule_mut(&mut self) -> ScheduleMut<'_> {
        match self.size {
            Size::Aes128 => {
                let [head @ .., _, _, _, _] = &mut self.keys;
                ScheduleMut::Aes128(head)
            }
            Size::Aes192 => {
                let [head @ .., _, _] = &mut self.keys;
                ScheduleMut::Aes192(head)
            }
            Size::Aes256 => ScheduleMut::Aes256(&mut self.keys),
        }
    }
}

impl EncryptKeys {
    /// The round keys.
    #[inline(always)]
    pub fn schedule(&self) -> Schedule<'_> {
        self.0.schedule()
    }

    /// The round keys, of a key that is known to have so many.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn round_keys<const KEYS: usize>(&self) -> &[Block; KEYS] {
        self.0.keys.first_chunk().expect("no key has more")
    }

    /// The round keys to be written for a key of so many bytes; `None` if AES has no key of that length.
    #[inline(always)]
    pub(super) fn schedule_for(&mut self, key_length: usize) -> Option<ScheduleMut<'_>> {
        self.0.size = match key_length {
            16 => Size::Aes128,
            24 => Size::Aes192,
            32 => Size::Aes256,
            _ => return None,
        };
        Some(self.0.schedule_mut())
    }
}

impl DecryptKeys {
    /// The round keys.
    #[inline(always)]
    pub fn schedule(&self) -> Schedule<'_> {
        self.0.schedule()
    }

    /// The round keys to be written, for the key size of `encrypt`.
    #[inline(always)]
    pub(super) fn schedule_like(&mut self, encrypt: &EncryptKeys) -> ScheduleMut<'_> {
        self.0.size = encrypt.0.size;
        self.0.schedule_mut()
    }
}

impl Schedule<'_> {
    /// All of them.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Block] {
        match self {
            Schedule::Aes128(keys) => *keys,
            Schedule::Aes192(keys) => *keys,
            Schedule::Aes256(keys) => *keys,
        }
    }
}

impl ScheduleMut<'_> {
    /// All of them.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Block] {
        match self {
            ScheduleMut::Aes128(keys) => *keys,
            ScheduleMut::Aes192(keys) => *keys,
            ScheduleMut::Aes256(keys) => *keys,
        }
    }
}

impl Drop for RoundKeys {
    #[inline]
    fn drop(&mut self) {
        // Only the keys that the size has were written. Whole blocks, not bytes: a key may live as short as a message.
        match self.schedule_mut() {
            ScheduleMut::Aes128(keys) => *keys = [[0; 16]; 11],
            ScheduleMut::Aes192(keys) => *keys = [[0; 16]; 13],
            ScheduleMut::Aes256(keys) => *keys = [[0; 16]; 15],
        }
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for EncryptKeys {}
impl ZeroizeOnDrop for DecryptKeys {}
