//! Speedwell: the fastest safe implementation of each cryptographic primitive on the processor at hand.
//!
//! - [`digest`]: MD5, SHA-1 and SHA-2 as RustCrypto `Digest` types.
//! - [`cipher`]: AES in ECB, CBC and CTR mode, and RC4, as RustCrypto cipher types and as plain functions.
//! - [`batch`]: digests and CBC encryption of many messages at once.
//! - [`aead`]: AES-GCM, which encrypts and authenticates.
//! - [`mac`]: HMAC over every digest, and CMAC.
//! - [`checklist`]: lists of digests, as commands print and check them.
//! - [`mod@file`]: encrypted files: our own authenticated form, and the keys of older ones.
//! - [`rsa`]: keys, signatures and encryption; [`dsa`]: parameters, keys and signatures.
//! - [`names`]: the one list of algorithms with their aliases.
//! - [`select`]: which kernel runs, and why; how a developer forces another.
//!
//! Every primitive has several kernels (the `speedwell-kernels` crate). Contexts and keys choose theirs once, when they
//! are made; see [`select`] for the rules.

#![forbid(unsafe_code)]

pub mod aead;
pub mod batch;
mod bignum;
pub mod checklist;
pub mod cipher;
pub mod digest;
pub mod dsa;
mod encoding;
pub mod file;
mod hashes;
pub mod mac;
pub mod names;
mod random;
pub mod rsa;
pub mod select;
