//! Second opinions: the same work done by other programs.

mod openssl;
