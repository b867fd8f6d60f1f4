//! The loops of x86-64. Each is assembly, so that no compiler adds or removes anything.
//!
//! None of these instructions takes longer for one value than for another, but some processors (Skylake-X) add a cycle to
//! every instruction that reads a vector register which one of another kind wrote last, however long ago: integer after
//! floating point, or AES after integer. A register that was loaded is of no kind, as round keys are in real code: the
//! loops of vectors load theirs first. The counter's `dec` and `jnz` hide behind a turn's body.

/// Sixteen bytes to load registers from.
static ZEROS: [u8; 16] = [0; 16];

/// Declares a loop: after what is `first`, which may read sixteen bytes at `{zeros}`, the body stands so many times in a
/// turn; `last` comes after the last turn.
macro_rules! turns {
    (fn $name:ident, $(first $first:expr,)? $repeat:literal times [$($line:expr),* $(,)?], $(last $last:literal,)?
     loses [$($register:tt),* $(,)?]) => {
        unsafe fn $name(turns: u64) {
            // SAFETY: the body changes only the registers named as lost and reads at most `ZEROS`; the count, at least
            // one, goes down to zero. The caller has seen that the processor knows the instructions.
            unsafe {
                std::arch::asm!(
                    $($first,)?
                    "2:",
                    concat!(".rept ", $repeat),
                    $($line,)*
                    ".endr",
                    "dec {turns}",
                    "jnz 2b",
                    $($last,)?
                    turns = inout(reg) turns => _,
                    $(zeros = in(reg) turns!(@zeros $first),)?
                    $(out($register) _,)*
                    options(readonly, nostack),
                );
            }
        }
    };
    (@zeros $first:expr) => { ZEROS.as_ptr() };
}

mod general;
mod multiply;
#[macro_use]
mod vector;
mod lanes;

use super::Model;

pub(super) fn models(primitive: &str) -> &'static [Model] {
    match primitive {
        "aes.cbc_encrypt" => vector::AES_CHAIN,
        "aes.cbc_decrypt" | "aes.ctr" | "aes.encrypt_blocks" | "aes.decrypt_blocks" => vector::AES_STREAM,
        "gcm.seal" | "gcm.open" => vector::AES_GCM,
        "aes.cbc_encrypt_lanes" => vector::AES_STREAM,
        "md5.compress_lanes" => lanes::MD5,
        "sha1.compress_lanes" => lanes::SHA1,
        "sha256.compress_lanes" => lanes::SHA256,
        "sha512.compress_lanes" => lanes::SHA512,
        "md5.compress" => general::MD5,
        "sha1.compress" => general::SHA1,
        "sha256.compress" => general::SHA256,
        "sha512.compress" => general::SHA512,
        "rc4.xor" => general::RC4,
        "bn.mont_exp" | "bn.mont_exp2" | "bn.public_exp" => multiply::MULTIPLY,
        _ => &[],
    }
}
