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
        state.xor_bytewise(data);
    }
}
