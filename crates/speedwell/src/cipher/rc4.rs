//! RC4, as old formats use it.

use std::fmt;

use cipher::consts::U16;
use cipher::{InOutBuf, InvalidLength, Key, KeyInit, KeySizeUser, StreamCipher, StreamCipherError};
use speedwell_kernels::rc4::{State, Xor};
use zeroize::ZeroizeOnDrop;

use super::CipherError;
use crate::select::{Plan, Policy, plan};

/// The RC4 stream cipher. Its key stream is biased (RFC 7465 forbids it in TLS), and every kernel reads a table at
/// addresses made from the key: [`Policy::Strict`] refuses it.
#[derive(Clone)]
pub struct Rc4 {
    state: State,
    plan: &'static Plan<Xor>,
}

impl Rc4 {
    /// Sets up a key stream from a key of 1 to 256 bytes.
    ///
    /// # Errors
    /// [`CipherError::KeyLength`].
    pub fn from_key(key: &[u8]) -> Result<Self, CipherError> {
        Rc4::with_policy(key, Policy::Secret)
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// [`CipherError::KeyLength`]; [`CipherError::Select`] if the policy permits no kernel, as `Strict` does not.
    pub fn with_policy(key: &[u8], policy: Policy) -> Result<Self, CipherError> {
        if !(1..=256).contains(&key.len()) {
            return Err(CipherError::KeyLength { given: key.len(), expected: "1 to 256" });
        }
        let plan = plan(policy)?;
        Ok(Rc4 { state: State::new(key), plan })
    }

    /// Applies the key stream to data of any length, in place or from one buffer to another.
    #[inline]
    pub fn apply(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.plan.kernel(data.len()).call(&mut self.state, data);
    }
}

impl KeySizeUser for Rc4 {
    type KeySize = U16;
}

impl KeyInit for Rc4 {
    fn new(key: &Key<Self>) -> Self {
        Rc4::from_key(key).expect("sixteen bytes are a key")
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Rc4::from_key(key).map_err(|_| InvalidLength)
    }
}

impl StreamCipher for Rc4 {
    /// The key stream does not end.
    #[inline]
    fn check_remaining(&self, _length: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) {
        self.apply(buffer);
    }

    #[inline]
    fn unchecked_write_keystream(&mut self, buffer: &mut [u8]) {
        buffer.fill(0);
        self.apply(buffer.into());
    }
}

impl fmt::Debug for Rc4 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rc4 { .. }")
    }
}

impl ZeroizeOnDrop for Rc4 {}
