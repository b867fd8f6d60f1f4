//! RC4, the stream cipher that R. Rivest designed in 1987; its key stream is given in RFC 6229.
//!
//! Every kernel indexes the table with bytes made from the key: the timing class says so, and no other way is known that
//! is not many times slower.

use inout::InOutBuf;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use crate::Bound;
use crate::exercise::{Data, Exercise, KnownAnswer, Shape};
use hex_literal::hex;

primitive! { "rc4.xor";
    /// Adds the key stream to data of any length and moves the state on.
    pub trait Xor = fn(state: &mut State, data: InOutBuf<'_, '_, u8>);
    shape: Shape { key: &[1, 5, 16, 32, 256], chain: 0, unit: 1, data: Data::Transform };
    known_answers: KNOWN_ANSWERS;
    exercise: |kernel, key, _chain| XorExercise { kernel, state: Box::new(State::new(key)) };
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64,
    portable,
}

/// A key stream in progress: a permutation of the bytes and two indices into it. Wiped on drop.
///
/// The entries are 32 bits wide in the layout that all kernels share: reading one needs no widening, and a store of one
/// is forwarded whole to the load that follows.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct State {
    pub(super) table: [u32; 256],
    pub(super) i: u8,
    pub(super) j: u8,
}

impl State {
    /// Schedules a key of 1 to 256 bytes. Of a longer key the first 256 bytes count; an empty one is taken for a zero byte.
    pub fn new(key: &[u8]) -> State {
        let key = if key.is_empty() { &[0] } else { key };
        let mut table: [u32; 256] = std::array::from_fn(|i| i as u32);
        let mut j = 0u8;
        for (i, byte) in (0..256).zip(key.iter().cycle()) {
            j = j.wrapping_add(table[i] as u8).wrapping_add(*byte);
            table.swap(i, j.into());
        }
        State { table, i: 0, j: 0 }
    }

    /// Adds the key stream byte by byte, as it is always written.
    #[inline(always)]
    fn xor_bytewise(&mut self, data: InOutBuf<'_, '_, u8>) {
        let State { table, i, j } = self;
        for mut byte in data {
            *i = i.wrapping_add(1);
            let a = table[usize::from(*i)];
            *j = j.wrapping_add(a as u8);
            let b = table[usize::from(*j)];
            table[usize::from(*i)] = b;
            table[usize::from(*j)] = a;
            *byte.get_out() = *byte.get_in() ^ table[usize::from(a.wrapping_add(b) as u8)] as u8;
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.table = [0; 256];
        (self.i, self.j) = (0, 0);
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for State {}

struct XorExercise {
    kernel: Bound<Xor>,
    state: Box<State>,
}

impl Exercise for XorExercise {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&mut self.state, data);
    }

    /// The table, and the two indices.
    fn result(&self) -> Vec<u8> {
        self.state.table.iter().map(|entry| *entry as u8).chain([self.state.i, self.state.j]).collect()
    }
}

const KNOWN_ANSWERS: &[KnownAnswer] = &[
    KnownAnswer {
        source: "RFC 6229, 40 bits, 0x0102030405, offset 0",
        key: &hex!("0102030405"),
        chain: &[],
        input: &[0; 32],
        output: &hex!("b2396305f03dc027ccc3524a0a1118a8 6982944f18fc82d589c403a47a0d0919"),
        result: &[],
    },
    KnownAnswer {
        source: "RFC 6229, 128 bits, 0x0102030405060708090a0b0c0d0e0f10, offset 0",
        key: &hex!("0102030405060708090a0b0c0d0e0f10"),
        chain: &[],
        input: &[0; 32],
        output: &hex!("9ac7cc9a609d1ef7b2932899cde41b97 5248c4959014126a6e8a84f11d1a9e1c"),
        result: &[],
    },
];
