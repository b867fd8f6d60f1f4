//! The ground floor of Speedwell: every cryptographic *primitive*, each with several *kernels*.
//!
//! A primitive is a fixed function signature where speed lives, such as `sha256.compress`. A kernel is one
//! implementation of it, such as `sha256.compress/x86_64_shani`. Each family of primitives is a folder; in it
//! `mod.rs` states the primitives and lists the kernels, and every other file is one implementation.
//!
//! Nothing here chooses: which kernel runs is decided one floor up, in the `speedwell` crate. A kernel can only be
//! called through [`Bound`], the proof that the processor at hand can run it.
//!
//! `unsafe` lives on this floor, in three forms: the one call in each primitive's `Bound::call`, loads and stores in
//! [`simd`], and assembly.

#[macro_use]
mod registry;
#[macro_use]
mod compression;
mod lanes;

pub mod cpu;
pub mod exercise;
pub mod simd;

pub use lanes::Batching;
pub use registry::{AnyKernel, Bound, Descriptor, Kernel, Primitive, Timing};

/// Names the families of primitives: one module each, whose `KERNELS` is its list.
macro_rules! families {
    ($($family:ident),* $(,)?) => {
        $(pub mod $family;)*

        /// Every kernel of every family, in the order of preference inside each primitive.
        pub fn all() -> impl Iterator<Item = &'static dyn AnyKernel> {
            [$($family::KERNELS),*].into_iter().flatten().flat_map(|implementation| implementation.iter().copied())
        }
    };
}

families! { md5, sha1, sha256, sha512, aes, gcm, rc4, bn }
