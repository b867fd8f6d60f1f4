//! HMAC (RFC 2104, FIPS 198-1): a digest of the key and a digest of the message.
//!
//! The key fills one block of the inner and one of the outer digest. Both are mixed in once, when the key is set up, so
//! that a tag costs the blocks of the message with its padding and one block more.

use std::fmt;

use digest::common::{AlgorithmName, Block, BlockSizeUser, InvalidLength, KeySizeUser};
use digest::{FixedOutput, FixedOutputReset, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update};
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

use super::{MacError, compare};
use crate::digest::BlockDigest;
use crate::select::Policy;

/// A key of HMAC over the digest `D`, ready for any number of messages. Wiped on drop.
#[derive(Clone)]
pub struct HmacKey<D: BlockDigest> {
    inner: D::Midstate,
    outer: D::Midstate,
}

/// A message in progress under a key of HMAC over the digest `D`.
#[derive(Clone)]
pub struct Hmac<D: BlockDigest> {
    key: HmacKey<D>,
    message: D,
}

/// A tag is not cut to fewer bytes (RFC 2104, section 5).
const LEAST_TAG: usize = 10;

impl<D: BlockDigest> HmacKey<D> {
    /// Sets a key of any length up. One that is longer than a block of the digest is replaced by its digest.
    #[inline]
    pub fn new(key: &[u8]) -> Self {
        HmacKey::with_policy(key, Policy::Secret).expect("the policy 'secret' always permits the portable kernel")
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// [`MacError::Select`] if the policy permits no kernel.
    #[inline]
    pub fn with_policy(key: &[u8], policy: Policy) -> Result<Self, MacError> {
        let mut block = Block::<D>::default();
        if key.len() <= block.len() {
            block[..key.len()].copy_from_slice(key);
        } else {
            let mut hasher = D::with_policy(policy)?;
            hasher.update(key);
            let mut digest = hasher.finalize_fixed();
            block[..digest.len()].copy_from_slice(&digest);
            digest.zeroize();
        }
        let mut padded = |pad: u8| {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            D::midstate(&block, policy)
        };
        // The second pad takes the first away again.
        let key = HmacKey { inner: padded(0x36)?, outer: padded(0x36 ^ 0x5c)? };
        block = Block::<D>::default();
        optimization_barrier(&block);
        Ok(key)
    }

    /// The tag of a message that is all there.
    #[inline]
    pub fn tag(&self, message: &[u8]) -> Output<D> {
        let mut inner = Output::<D>::default();
        D::finish(&self.inner, message, &mut inner);
        self.outer(&inner)
    }

    /// Whether a tag, which may be cut to ten bytes or more, is that of a message.
    ///
    /// # Errors
    /// [`MacError::WrongTag`] or [`MacError::TagLength`].
    #[inline]
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), MacError> {
        compare(&self.tag(message), tag, LEAST_TAG)
    }

    /// A message in parts under this key.
    #[inline]
    pub fn start(&self) -> Hmac<D> {
        Hmac { message: D::resume(&self.inner), key: self.clone() }
    }

    #[inline]
    fn outer(&self, inner: &Output<D>) -> Output<D> {
        let mut tag = Output::<D>::default();
        D::finish(&self.outer, inner, &mut tag);
        tag
    }
}

impl<D: BlockDigest> Hmac<D> {
    /// Starts a message under a key of any length.
    pub fn new(key: &[u8]) -> Self {
        HmacKey::new(key).start()
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// The tag of the message; what follows is a new message under the same key.
    #[inline]
    pub fn finish(&mut self) -> Output<D> {
        let inner = std::mem::replace(&mut self.message, D::resume(&self.key.inner)).finalize_fixed();
        self.key.outer(&inner)
    }

    /// Whether a tag, which may be cut to ten bytes or more, is that of the message; what follows is a new
    /// message under the same key.
    ///
    /// # Errors
    /// [`MacError::WrongTag`] or [`MacError::TagLength`].
    pub fn check(&mut self, tag: &[u8]) -> Result<(), MacError> {
        compare(&self.finish(), tag, LEAST_TAG)
    }
}

impl<D: BlockDigest> KeySizeUser for HmacKey<D> {
    type KeySize = D::BlockSize;
}

impl<D: BlockDigest> KeyInit for HmacKey<D> {
    fn new(key: &Key<Self>) -> Self {
        HmacKey::new(key)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(HmacKey::new(key))
    }
}

impl<D: BlockDigest> KeySizeUser for Hmac<D> {
    type KeySize = D::BlockSize;
}

impl<D: BlockDigest> KeyInit for Hmac<D> {
    fn new(key: &Key<Self>) -> Self {
        Hmac::new(key)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Hmac::new(key))
    }
}

impl<D: BlockDigest> Update for Hmac<D> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }
}

impl<D: BlockDigest> OutputSizeUser for Hmac<D> {
    type OutputSize = D::OutputSize;
}

impl<D: BlockDigest> BlockSizeUser for Hmac<D> {
    type BlockSize = D::BlockSize;
}

impl<D: BlockDigest> MacMarker for Hmac<D> {}

impl<D: BlockDigest> FixedOutput for Hmac<D> {
    #[inline]
    fn finalize_into(mut self, output: &mut Output<Self>) {
        *output = self.finish();
    }
}

impl<D: BlockDigest> Reset for Hmac<D> {
    #[inline]
    fn reset(&mut self) {
        self.message = D::resume(&self.key.inner);
    }
}

impl<D: BlockDigest> FixedOutputReset for Hmac<D> {
    #[inline]
    fn finalize_into_reset(&mut self, output: &mut Output<Self>) {
        *output = self.finish();
    }
}

impl<D: BlockDigest> AlgorithmName for Hmac<D> {
    fn write_alg_name(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hmac<")?;
        D::write_alg_name(formatter)?;
        formatter.write_str(">")
    }
}

impl<D: BlockDigest> fmt::Debug for HmacKey<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HmacKey { .. }")
    }
}

impl<D: BlockDigest> fmt::Debug for Hmac<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hmac { .. }")
    }
}

// The states wipe themselves, and so does the message.
impl<D: BlockDigest> ZeroizeOnDrop for HmacKey<D> {}
impl<D: BlockDigest> ZeroizeOnDrop for Hmac<D> {}
