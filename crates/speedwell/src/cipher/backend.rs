//! RustCrypto's block traits on top of one function over many blocks.

use cipher::consts::{U16, U64};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherEncBackend, BlockModeDecBackend, BlockModeEncBackend, BlockSizeUser,
    InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
};
use speedwell_kernels::simd::from_arrays;

use super::Block as Native;

/// A function that runs a kernel over blocks. The traits hand over 64 blocks at a time, which is a multiple of what the
/// widest kernel keeps in flight.
pub(super) struct Backend<F>(pub F);

impl<F> BlockSizeUser for Backend<F> {
    type BlockSize = U16;
}

impl<F> ParBlocksSizeUser for Backend<F> {
    type ParBlocksSize = U64;
}

macro_rules! backend {
    ($($backend:ident for $bound:ident: $one:ident $many:ident $tail:ident ($($receiver:tt)*) $self:ident;)*) => {
        $(impl<F: $bound(InOutBuf<'_, '_, Native>)> $backend for Backend<F> {
            #[inline(always)]
            fn $one($($receiver)*, mut block: InOut<'_, '_, Block<Self>>) {
                let mut copy = block.clone_in();
                $self.0(from_arrays(InOutBuf::from_mut(&mut copy)));
                *block.get_out() = copy;
            }

            #[inline(always)]
            fn $many($($receiver)*, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                $self.0(from_arrays(blocks.into_buf()));
            }

            #[inline(always)]
            fn $tail($($receiver)*, blocks: InOutBuf<'_, '_, Block<Self>>) {
                $self.0(from_arrays(blocks));
            }
        })*
    };
}

backend! {
    BlockCipherEncBackend for Fn: encrypt_block encrypt_par_blocks encrypt_tail_blocks (&self) self;
    BlockCipherDecBackend for Fn: decrypt_block decrypt_par_blocks decrypt_tail_blocks (&self) self;
    BlockModeEncBackend for FnMut: encrypt_block encrypt_par_blocks encrypt_tail_blocks (&mut self) self;
    BlockModeDecBackend for FnMut: decrypt_block decrypt_par_blocks decrypt_tail_blocks (&mut self) self;
}
