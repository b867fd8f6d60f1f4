//! Digests: MD5, SHA-1 and the SHA-2 functions.
//!
//! Every type implements RustCrypto's [`digest`] traits, and so fits wherever a `digest::Digest` does:
//!
//! ```
//! use speedwell::digest::{Digest, Sha256};
//!
//! let mut hasher = Sha256::new();
//! hasher.update(b"any split of the message ");
//! hasher.update(b"gives the same digest");
//! assert_eq!(hasher.finalize(), Sha256::digest(b"any split of the message gives the same digest"));
//! ```
//!
//! MD5 and SHA-1 no longer resist collisions; they are here for what still uses them.

mod batchable;
mod block_digest;
mod engine;
mod padding;

use std::fmt;

use digest::common::{AlgorithmName, Block, BlockSizeUser};
use digest::consts::{U16, U20, U28, U32, U48, U64, U128};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use speedwell_kernels::{Batching, md5, sha1, sha256, sha512};

use crate::select::{Plan, Policy, SelectError, plan};
use batchable::sealed::Sealed;
use engine::{Blocks, Engine, Function, Midstate};
use padding::{length_halves, pad};

pub use batchable::BatchDigest;
pub use block_digest::BlockDigest;
pub use digest::{Digest, DynDigest};

/// Declares the types: name, algorithm, family, words of the state, block and digest in bytes, first state, byte order.
macro_rules! digests {
    ($($(#[$meta:meta])* $name:ident = $text:literal: $family:ident [$word:ident; $words:literal],
       block $block:literal $block_size:ty, output $output:ty, initial $initial:ident, length $length:literal $to_bytes:ident;)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone)]
            pub struct $name(Engine<functions::$name, $block>);

            impl Function for functions::$name {
                type Compress = $family::Compress;
                type State = [$word; $words];
                const LENGTH_BYTES: usize = $length;
                const INITIAL: Self::State = $family::$initial;

                fn length(bits: u64) -> [u8; 8] {
                    bits.$to_bytes()
                }
            }

            impl Blocks<$block> for functions::$name {
                #[inline(always)]
                fn compress(plan: &Plan<$family::Compress>, state: &mut [$word; $words], blocks: &[[u8; $block]]) {
                    plan.kernel(blocks.len() * $block).call(state, blocks);
                }
            }

            impl Sealed for $name {}

            impl BatchDigest for $name {
                type Compress = $family::Compress;
                type CompressLanes = $family::CompressLanes;
                type State = [$word; $words];
                type Block = [u8; $block];
                const ZERO: Self::Block = [0; $block];
                const INITIAL: Self::State = $family::$initial;
                const BATCHING: Batching = $family::BATCHING;

                #[inline(always)]
                fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]) {
                    message.as_chunks()
                }

                #[inline(always)]
                fn pad(end: &mut [Self::Block; 2], rest: &[u8], length: u64) -> usize {
                    let (low, high) = length_halves($length, length, |bits| bits.$to_bytes());
                    let pieces = end.as_flattened_mut().as_chunks_mut().0;
                    if rest.len() < $block - $length {
                        pad(&mut pieces[..$block / 16], rest, low, high);
                        return 1;
                    }
                    if let Some(block) = rest.first_chunk::<$block>() {
                        // Of messages that are whole blocks, all but the length is known.
                        pad(&mut pieces[$block / 16..], &[], low, high);
                        end[0] = *block;
                    } else {
                        pad(pieces, rest, low, high);
                    }
                    2
                }

                #[inline(always)]
                fn compress(plan: &Plan<Self::Compress>, state: &mut Self::State, blocks: &[Self::Block]) {
                    plan.kernel(blocks.len() * $block).call(state, blocks);
                }

                #[inline(always)]
                fn compress_lanes(
                    plan: &Plan<Self::CompressLanes>,
                    states: &mut [Self::State],
                    messages: &[&[Self::Block]],
                ) {
                    let blocks = messages.first().map_or(0, |blocks| blocks.len());
                    plan.kernel(messages.len() * blocks * $block).call(states, messages);
                }

                #[inline(always)]
                fn write(state: Self::State, output: &mut Output<Self>) {
                    write(state, $word::$to_bytes, output);
                }
            }

            impl $name {
                /// A hasher that runs the kernels of a given plan.
                pub fn with_plan(plan: &'static Plan<$family::Compress>) -> Self {
                    $name(Engine::with_plan(plan))
                }

                /// The digest of a message that is all there. It does without a hasher, and so is faster for short
                /// messages than the trait's function of the same name.
                #[inline]
                pub fn digest(message: impl AsRef<[u8]>) -> Output<Self> {
                    let mut output = Output::<Self>::default();
                    write(Engine::<functions::$name, $block>::of_message(message.as_ref()), $word::$to_bytes, &mut output);
                    output
                }

                #[inline]
                fn write_digest(&mut self, output: &mut Output<Self>) {
                    write(self.0.finish(), $word::$to_bytes, output);
                }
            }

            impl Default for $name {
                #[inline]
                fn default() -> Self {
                    $name(Engine::new())
                }
            }

            impl Update for $name {
                #[inline]
                fn update(&mut self, data: &[u8]) {
                    self.0.update(data);
                }
            }

            impl OutputSizeUser for $name {
                type OutputSize = $output;
            }

            impl BlockSizeUser for $name {
                type BlockSize = $block_size;
            }

            impl HashMarker for $name {}

            impl FixedOutput for $name {
                #[inline]
                fn finalize_into(mut self, output: &mut Output<Self>) {
                    self.write_digest(output);
                }
            }

            impl Reset for $name {
                #[inline]
                fn reset(&mut self) {
                    self.0.reset();
                }
            }

            impl FixedOutputReset for $name {
                #[inline]
                fn finalize_into_reset(&mut self, output: &mut Output<Self>) {
                    self.write_digest(output);
                    self.0.reset();
                }
            }

            impl AlgorithmName for $name {
                fn write_alg_name(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str(stringify!($name))
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str(concat!(stringify!($name), " { .. }"))
                }
            }

            impl zeroize::ZeroizeOnDrop for $name {}

            impl BlockDigest for $name {
                type Midstate = Midstate<functions::$name, $block>;

                fn with_policy(policy: Policy) -> Result<Self, SelectError> {
                    Ok($name::with_plan(plan(policy)?))
                }

                #[inline]
                fn midstate(block: &Block<Self>, policy: Policy) -> Result<Self::Midstate, SelectError> {
                    Ok(Midstate::after(&block.0, plan(policy)?))
                }

                #[inline]
                fn resume(midstate: &Self::Midstate) -> Self {
                    $name(midstate.resume())
                }

                #[inline]
                fn finish(midstate: &Self::Midstate, rest: &[u8], output: &mut Output<Self>) {
                    write(midstate.finish(rest), $word::$to_bytes, output);
                }
            }
        )*

        /// What tells the engines apart.
        mod functions {
            $(pub struct $name;)*
        }

        /// A new hasher of the algorithm with this canonical name (see [`crate::names`]); `None` if it is no digest.
        pub fn by_name(name: &str) -> Option<Box<dyn DynDigest>> {
            match name {
                $($text => Some(Box::new($name::default())),)*
                _ => None,
            }
        }
    };
}

/// Writes the words of a state, of which the last may be cut.
#[inline(always)]
fn write<W, const WORDS: usize, const BYTES: usize>(state: [W; WORDS], bytes: fn(W) -> [u8; BYTES], output: &mut [u8]) {
    for (output, word) in output.chunks_mut(BYTES).zip(state) {
        output.copy_from_slice(&bytes(word)[..output.len()]);
    }
}

digests! {
    /// MD5 (RFC 1321): 16 bytes. Collisions take seconds; only for old formats.
    Md5 = "md5": md5 [u32; 4], block 64 U64, output U16, initial INITIAL, length 8 to_le_bytes;
    /// SHA-1 (FIPS 180-4): 20 bytes. Collisions are practical; only for old formats.
    Sha1 = "sha1": sha1 [u32; 5], block 64 U64, output U20, initial INITIAL, length 8 to_be_bytes;
    /// SHA-224 (FIPS 180-4): 28 bytes.
    Sha224 = "sha224": sha256 [u32; 8], block 64 U64, output U28, initial INITIAL_224, length 8 to_be_bytes;
    /// SHA-256 (FIPS 180-4): 32 bytes.
    Sha256 = "sha256": sha256 [u32; 8], block 64 U64, output U32, initial INITIAL, length 8 to_be_bytes;
    /// SHA-384 (FIPS 180-4): 48 bytes.
    Sha384 = "sha384": sha512 [u64; 8], block 128 U128, output U48, initial INITIAL_384, length 16 to_be_bytes;
    /// SHA-512 (FIPS 180-4): 64 bytes.
    Sha512 = "sha512": sha512 [u64; 8], block 128 U128, output U64, initial INITIAL, length 16 to_be_bytes;
    /// SHA-512/224 (FIPS 180-4): 28 bytes.
    Sha512_224 = "sha512-224": sha512 [u64; 8], block 128 U128, output U28, initial INITIAL_512_224, length 16 to_be_bytes;
    /// SHA-512/256 (FIPS 180-4): 32 bytes.
    Sha512_256 = "sha512-256": sha512 [u64; 8], block 128 U128, output U32, initial INITIAL_512_256, length 16 to_be_bytes;
}
