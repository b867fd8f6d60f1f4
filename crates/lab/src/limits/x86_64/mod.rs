//! The loops of x86-64. Each is assembly, so that no compiler adds or removes anything.
//!
//! None of these instructions takes longer for one value than for another, but some processors (Skylake-X) add a cycle to
//! every integer instruction that reads a vector register which a floating-point instruction wrote last, however long
//! ago: the loops of vectors set theirs first. The counter's `dec` and `jnz` hide behind a turn's body.

/// Declares a loop: after what is `first`, the body stands so many times in a turn; `last` comes after the last turn.
macro_rules! turns {
    (fn $name:ident, $(first $first:expr,)? $repeat:literal times [$($line:expr),* $(,)?], $(last $last:literal,)?
     loses [$($register:tt),* $(,)?]) => {
        unsafe fn $name(turns: u64) {
            // SAFETY: the body changes only the registers named as lost and touches no memory; the count, at least
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
                    $(out($register) _,)*
                    options(nomem, nostack),
                );
            }
        }
    };
}

mod general;
mod vector;

use super::Model;

pub(super) fn models(primitive: &str) -> &'static [Model] {
    match primitive {
        "aes.cbc_encrypt" => vector::AES_CHAIN,
        "aes.cbc_decrypt" | "aes.ctr" | "aes.encrypt_blocks" | "aes.decrypt_blocks" => vector::AES_STREAM,
        "md5.compress" => general::MD5,
        "sha1.compress" => general::SHA1,
        "sha256.compress" => general::SHA256,
        "sha512.compress" => general::SHA512,
        "rc4.xor" => general::RC4,
        _ => &[],
    }
}
