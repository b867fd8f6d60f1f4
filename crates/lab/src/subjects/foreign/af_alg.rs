//! The Linux kernel's ciphers and digests, through sockets of the family AF_ALG: a socket is bound to an algorithm and given
//! its key, and what is accepted from it takes messages.

use crate::case::Case;
use crate::subjects::{Facts, InProcess, Skip};

use super::LoadError;

/// The kernel, as a subject of this process.
#[cfg(not(target_os = "linux"))]
pub(in crate::subjects) fn subject() -> Result<InProcess, LoadError> {
    let why = "AF_ALG is an interface of Linux".to_owned();
    Err(LoadError::Unusable { library: "this system's kernel".to_owned(), why })
}

#[cfg(target_os = "linux")]
pub(in crate::subjects) use linux::subject;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

    use super::super::usage::{self, LONGEST, Sealer, Stream, TAG, Tagger, not_offered};
    use super::{Case, Facts, InProcess, LoadError, Skip};
    use crate::algorithm::{Algorithm, Kind};
    use crate::case::Operation;
    use crate::subjects::Setup;

    /// The kernel takes so many bytes of a message at once: 16 pages.
    const MOST: usize = 16 * 4096;

    /// The kernel, as a subject of this process.
    pub(in crate::subjects) fn subject() -> Result<InProcess, LoadError> {
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
        let release = text("/proc/sys/kernel/osrelease");
        let unusable = |why: io::Error| LoadError::Unusable {
            library: format!("the cryptography of Linux {release}"),
            why: format!("no socket of the family AF_ALG: {why}"),
        };
        Bound::new("hash", "sha256").map_err(unusable)?;
        let number = release.split('-').next().unwrap_or_default();
        let facts = Facts {
            version: Some(format!("Linux {release}")),
            build: Some(text("/proc/sys/kernel/version")),
            ..Facts::named(&format!("linux-{number}"))
        };
        Ok(InProcess::new(facts, set_up))
    }

    fn set_up(case: &Case) -> Result<Setup, Skip> {
        let failed = |error: io::Error| Skip::NotOffered(format!("{}: {error}", case.algorithm));
        match Algorithm::of(case)?.kind {
            Kind::Hash { digest, .. } => {
                let bound = Bound::new("hash", &case.algorithm).map_err(failed)?;
                let taker = bound.accept().map_err(failed)?;
                usage::digest(case, Hash { bound, taker: Some(taker), length: digest })
            }
            Kind::Hmac { hash, key, .. } => {
                let bound = Bound::new("hash", &format!("hmac({hash})")).map_err(failed)?;
                usage::mac(case, Hash { bound, taker: None, length: key })
            }
            Kind::Cmac { .. } => {
                let bound = Bound::new("hash", "cmac(aes)").map_err(failed)?;
                usage::mac(case, Hash { bound, taker: None, length: 16 })
            }
            Kind::Cipher { .. } => {
                let name = match case.algorithm.rsplit('-').next() {
                    Some("rc4") => "ecb(arc4)".to_owned(),
                    Some(mode) => format!("{mode}(aes)"),
                    None => return Err(not_offered(case)),
                };
                let encrypts = case.operation == Operation::Encrypt;
                Bound::new("skcipher", &name).map_err(failed)?;
                let new = || {
                    let bound = Bound::new("skcipher", &name).ok()?;
                    Some(Cipher { bound, taker: None, iv: Vec::new(), encrypts })
                };
                usage::cipher(case, new)
            }
            Kind::Aead { .. } if case.bytes + TAG > MOST => {
                Err(Skip::NotOffered(format!("messages of more than {MOST} bytes with their tag")))
            }
            Kind::Aead { .. } => {
                let bound = Bound::new("aead", "gcm(aes)").map_err(failed)?;
                usage::aead(case, Gcm { bound, taker: None })
            }
            Kind::PublicKey { .. } => Err(not_offered(case)),
        }
    }

    /// A socket bound to an algorithm.
    struct Bound(OwnedFd);

    impl Bound {
        fn new(family: &str, name: &str) -> io::Result<Bound> {
            // SAFETY: no preconditions.
            let socket = unsafe { libc::socket(libc::AF_ALG, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0) };
            if socket < 0 {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: it was made above.
            let socket = unsafe { OwnedFd::from_raw_fd(socket) };
            // SAFETY: the structure consists of numbers, for all of which zero is a value.
            let mut address: libc::sockaddr_alg = unsafe { std::mem::zeroed() };
            address.salg_family = libc::AF_ALG as u16;
            address.salg_type[..family.len()].copy_from_slice(family.as_bytes());
            address.salg_name[..name.len()].copy_from_slice(name.as_bytes());
            let length = size_of::<libc::sockaddr_alg>() as u32;
            // SAFETY: the structure is as long as told.
            match unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length) } {
                0 => Ok(Bound(socket)),
                _ => Err(io::Error::last_os_error()),
            }
        }

        fn set(&self, option: libc::c_int, value: *const u8, length: usize) -> bool {
            // SAFETY: a value is as long as told, or there is none and the length is the setting.
            unsafe { libc::setsockopt(self.0.as_raw_fd(), libc::SOL_ALG, option, value.cast(), length as u32) == 0 }
        }

        fn accept(&self) -> io::Result<OwnedFd> {
            let none = std::ptr::null_mut();
            // SAFETY: nobody wants to know the address.
            let taker = unsafe { libc::accept4(self.0.as_raw_fd(), none, none.cast(), libc::SOCK_CLOEXEC) };
            // SAFETY: it was made above, if it is one.
            if taker < 0 { Err(io::Error::last_os_error()) } else { Ok(unsafe { OwnedFd::from_raw_fd(taker) }) }
        }

        fn keyed(&self, key: &[u8]) -> Option<OwnedFd> {
            self.set(libc::ALG_SET_KEY, key.as_ptr(), key.len()).then(|| self.accept().ok()).flatten()
        }
    }

    fn read(from: RawFd, to: &mut [u8]) -> bool {
        // SAFETY: the place is as long as told.
        unsafe { libc::read(from, to.as_mut_ptr().cast(), to.len()) == to.len() as isize }
    }

    /// Sends data, with direction and IV if an operation begins.
    fn send(to: RawFd, data: &[u8], begin: Option<(bool, &[u8])>) -> bool {
        let mut part = libc::iovec { iov_base: data.as_ptr().cast_mut().cast(), iov_len: data.len() };
        let mut control = [0u64; 16];
        // SAFETY: the structure consists of numbers and pointers, for all of which zero is a value.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        if let Some((encrypts, iv)) = begin {
            let direction = if encrypts { libc::ALG_OP_ENCRYPT } else { libc::ALG_OP_DECRYPT };
            let lengths = [4, 4 + iv.len() as u32];
            // SAFETY: the control data has room for both messages: 24 bytes, and 24 with an IV of at most 16 behind it.
            unsafe {
                message.msg_control = control.as_mut_ptr().cast();
                message.msg_controllen =
                    lengths.iter().take(1 + usize::from(!iv.is_empty())).map(|l| libc::CMSG_SPACE(*l) as usize).sum();
                let head = libc::CMSG_FIRSTHDR(&message);
                (*head).cmsg_level = libc::SOL_ALG;
                (*head).cmsg_type = libc::ALG_SET_OP;
                (*head).cmsg_len = libc::CMSG_LEN(lengths[0]) as _;
                libc::CMSG_DATA(head).cast::<u32>().write_unaligned(direction as u32);
                if !iv.is_empty() {
                    let next = libc::CMSG_NXTHDR(&message, head);
                    (*next).cmsg_level = libc::SOL_ALG;
                    (*next).cmsg_type = libc::ALG_SET_IV;
                    (*next).cmsg_len = libc::CMSG_LEN(lengths[1]) as _;
                    let place = libc::CMSG_DATA(next);
                    place.cast::<u32>().write_unaligned(iv.len() as u32);
                    place.add(4).copy_from_nonoverlapping(iv.as_ptr(), iv.len());
                }
            }
        }
        // SAFETY: the structure and all that it points to are alive.
        unsafe { libc::sendmsg(to, &message, 0) == data.len() as isize }
    }

    struct Hash {
        bound: Bound,
        taker: Option<OwnedFd>,
        length: usize,
    }

    impl Tagger for Hash {
        fn set_key(&mut self, key: &[u8]) -> bool {
            self.taker = self.bound.keyed(key);
            self.taker.is_some()
        }

        fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
            let Some(taker) = self.taker.as_ref().map(AsRawFd::as_raw_fd) else { return false };
            // Without a flag for more to come, sending ends the message.
            // SAFETY: the message is as long as told.
            let sent = unsafe { libc::send(taker, message.as_ptr().cast(), message.len(), 0) };
            sent == message.len() as isize && read(taker, &mut output[..self.length])
        }
    }

    struct Cipher {
        bound: Bound,
        taker: Option<OwnedFd>,
        iv: Vec<u8>,
        encrypts: bool,
    }

    impl Stream for Cipher {
        fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
            self.iv = iv.to_vec();
            self.taker = self.bound.keyed(key);
            self.taker.is_some()
        }

        fn update(&mut self, data: &mut [u8]) -> bool {
            let Some(taker) = self.taker.as_ref().map(AsRawFd::as_raw_fd) else { return false };
            for part in data.chunks_mut(MOST) {
                // The IV is only told at the beginning; then the kernel goes on.
                let iv = std::mem::take(&mut self.iv);
                let begin = (!iv.is_empty()).then_some((self.encrypts, &iv[..]));
                if !send(taker, part, begin.or((!self.encrypts).then_some((false, &[])))) || !read(taker, part) {
                    return false;
                }
            }
            true
        }
    }

    struct Gcm {
        bound: Bound,
        taker: Option<OwnedFd>,
    }

    impl Sealer for Gcm {
        fn set_key(&mut self, key: &[u8]) -> bool {
            let sized = self.bound.set(libc::ALG_SET_AEAD_AUTHSIZE, std::ptr::null(), TAG);
            self.taker = sized.then(|| self.bound.keyed(key)).flatten();
            self.taker.is_some()
        }

        fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
            let Some(taker) = self.taker.as_ref().map(AsRawFd::as_raw_fd) else { return false };
            send(taker, &data[..data.len() - TAG], Some((true, nonce))) && read(taker, data)
        }

        fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
            let Some(taker) = self.taker.as_ref().map(AsRawFd::as_raw_fd) else { return false };
            send(taker, data, Some((false, nonce))) && read(taker, output)
        }
    }
}
