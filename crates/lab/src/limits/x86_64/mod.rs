//! The loops of x86-64. Each is assembly, so that no compiler adds or removes anything.
//!
//! Registers start with whatever is in them: none of these instructions takes longer for one value than for another.
//! The counter's `dec` and `jnz` hide behind a turn's body.

/// Declares a loop: the body stands so many times in a turn, and `then` an instruction after the last.
macro_rules! turns {
    (fn $name:ident, $repeat:literal times [$($line:expr),* $(,)?], $(then $end:literal,)? loses [$($register:tt),*]) => {
        unsafe fn $name(turns: u64) {
            // SAFETY: the body changes only the registers named as lost and touches no memory; the count, at least
            // one, goes down to zero. The caller has seen that the processor knows the instructions.
            unsafe {
                std::arch::asm!(
                    "2:",
                    concat!(".rept ", $repeat),
                    $($line,)*
                    ".endr",
                    "dec {turns}",
                    "jnz 2b",
                    $($end,)?
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
