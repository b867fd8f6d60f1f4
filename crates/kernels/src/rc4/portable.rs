//! Byte by byte, as it is always written.
//!
//! Bound by the chain through the index j: the load of an entry that a store just before may have changed, an addition,
//! and the address of the next: about six cycles a byte.

use inout::InOutBuf;

use super::State;

kernel! {
    isa: [], timing: TableLookups,

    name: "rc4.xor/portable", primitive: super::Xor,
    fn xor(state: &mut State, data: InOutBuf<'_, '_, u8>) {
        let State { table, i, j } = state;
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
