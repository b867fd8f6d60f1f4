//! Workloads by name: the cases that a kind of program spends its time on.

use crate::case::{Case, Operation};

/// A named set of cases.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// As experiments name it.
    pub name: &'static str,
    /// What it stands for.
    pub what: &'static str,
    /// How many calls make the whole of the work; 1 if it has no whole.
    pub calls: u64,
    /// Algorithms and operations.
    algorithms: &'static [(&'static str, Operation)],
    /// Bytes of a message; 0 for public keys, which have none.
    sizes: &'static [usize],
}

/// All of them.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "tor-cell",
        what: "a million relay cells of 509 bytes, one key, a counter that goes on",
        calls: 1_000_000,
        algorithms: &[("aes-128-ctr", Operation::Encrypt)],
        sizes: &[509],
    },
    Profile {
        name: "tls-record",
        what: "full and packet-sized records of TLS",
        calls: 1,
        algorithms: &[
            ("aes-128-cbc+hmac-sha1", Operation::Encrypt),
            ("rc4+hmac-md5", Operation::Encrypt),
            ("aes-128-gcm", Operation::Encrypt),
            ("aes-256-gcm", Operation::Encrypt),
            ("chacha20-poly1305", Operation::Encrypt),
        ],
        sizes: &[1400, 16384],
    },
    Profile {
        name: "esp-packet",
        what: "small, middle and full packets of IPsec",
        calls: 1,
        algorithms: &[("aes-128-cbc+hmac-sha1-96", Operation::Encrypt), ("aes-128-gcm", Operation::Encrypt)],
        sizes: &[64, 576, 1400],
    },
    Profile {
        name: "zfs-block",
        what: "checksums of a file system's blocks of 128 KiB",
        calls: 1,
        algorithms: &[("sha256", Operation::Hash)],
        sizes: &[128 << 10],
    },
    Profile {
        name: "file-encrypt",
        what: "a file of 500 MiB in parts of 1 MiB, which are read into the same buffer",
        calls: 500,
        algorithms: &[
            ("aes-128-cbc", Operation::Encrypt),
            ("aes-256-ctr", Operation::Encrypt),
            ("aes-256-gcm", Operation::Encrypt),
            ("rc4", Operation::Encrypt),
        ],
        sizes: &[1 << 20],
    },
    Profile {
        name: "handshake",
        what: "a server's signature, and its client's look at it",
        calls: 1,
        algorithms: &[
            ("rsa-1024", Operation::Sign),
            ("rsa-2048", Operation::Sign),
            ("rsa-2048", Operation::Verify),
            ("rsa-4096", Operation::Sign),
        ],
        sizes: &[0],
    },
];

impl Profile {
    /// The one of that name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// Its cases, all sizes of an algorithm in a row.
    pub fn cases(&self) -> impl Iterator<Item = Case> + '_ {
        self.algorithms.iter().flat_map(|(algorithm, operation)| {
            self.sizes.iter().map(move |bytes| Case::new(algorithm, *operation, *bytes))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::{Skip, Subject, library_subject};

    #[test]
    fn our_library_does_all_but_one_of_them() {
        for profile in PROFILES {
            for case in profile.cases() {
                match library_subject().prepare(&case) {
                    Err(Skip::UnknownAlgorithm { algorithm }) if algorithm == "chacha20-poly1305" => {}
                    outcome => drop(outcome.unwrap_or_else(|why| panic!("{}: {case}: {why}", profile.name))),
                }
            }
        }
    }
}
