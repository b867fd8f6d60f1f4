//! Tests of the whole product stand in the folders beside this one. What they compare with is found at run time;
//! `cargo xtask interop` installs it, and a test that misses it prints a line and skips.
