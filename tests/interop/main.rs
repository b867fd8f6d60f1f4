//! Second opinions: the same work done by other programs.

mod openssl;
mod openssl_keys;
