//! Ciphers: AES block by block and in CBC and CTR mode, and RC4.
//!
//! Every type implements the traits of RustCrypto's [`cipher`] crate that fit it. The types here are also complete
//! without those traits: [`CbcEncryptor`] and [`CbcDecryptor`] take a message in any split and pad it, [`Ctr`] and
//! [`Rc4`] apply their key stream in place or from one buffer to another.
//!
//! ```
//! use speedwell::cipher::{Aes128CbcDecryptor, Aes128CbcEncryptor, Padding};
//!
//! let (key, iv) = ([0x11; 16], [0x22; 16]);
//! let sealed = Aes128CbcEncryptor::new(&key, &iv).encrypt_to_vec(b"any length", Padding::Pkcs7)?;
//! assert_eq!(sealed.len(), 16);
//! let opened = Aes128CbcDecryptor::new(&key, &iv).decrypt_to_vec(&sealed, Padding::Pkcs7)?;
//! assert_eq!(opened, b"any length");
//! # Ok::<(), speedwell::cipher::CipherError>(())
//! ```
//!
//! None of these modes detects a changed ciphertext: they are for formats that add a MAC, or that are as they are.

mod aes;
mod backend;
mod cbc;
mod ctr;
mod error;
mod padding;
mod rc4;
mod stream;

pub(crate) use aes::KeyPlans;
pub use aes::{Aes, Aes128, Aes192, Aes256, Block};
pub use cbc::{
    Aes128CbcDecryptor, Aes128CbcEncryptor, Aes192CbcDecryptor, Aes192CbcEncryptor, Aes256CbcDecryptor,
    Aes256CbcEncryptor, CbcDecryptor, CbcEncryptor,
};
pub use ctr::{Aes128Ctr, Aes192Ctr, Aes256Ctr, Ctr};
pub use error::CipherError;
pub use padding::Padding;
pub use rc4::Rc4;

pub use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, KeyInit, KeyIvInit,
    StreamCipher, StreamCipherSeek,
};
