//! T-tables: SubBytes, ShiftRows and MixColumns as four table look-ups a column (J. Daemen, V. Rijmen, "The Design of
//! Rijndael", section 4.2). It is what C libraries ran before processors had AES instructions.
//!
//! The addresses depend on key and data, and so a neighbour on the same cache can find the key (D. J. Bernstein,
//! "Cache-timing attacks on AES", 2005). It is kept to be measured against, and as proof that the selection passes it
//! by.
//!
//! Bound by loads: sixteen table look-ups and four of round keys a round, at two loads a cycle ten cycles, or about
//! 110 cycles a block; the four tables of a direction fill 4 KiB of the first-level cache.

use inout::InOutBuf;

use super::sbox::{INVERSE, SBOX, multiply};
use super::{Block, DecryptKeys, EncryptKeys, composition, expansion};

kernel! {
    isa: [], timing: TableLookups,

    name: "aes.expand_key/portable_tables", primitive: super::ExpandKey,
    fn expand_key(key: &[u8], keys: &mut EncryptKeys) {
        expansion::expand(key, keys, sub_word);
    }

    name: "aes.invert_key/portable_tables", primitive: super::InvertKey,
    fn invert_key(encrypt: &EncryptKeys, decrypt: &mut DecryptKeys) {
        let mut inverted = decrypt.schedule_like(encrypt);
        let schedule = encrypt.schedule();
        for (to, from) in inverted.as_mut_slice().iter_mut().zip(schedule.as_slice().iter().rev()) {
            *to = *from;
        }
        let last = schedule.as_slice().len() - 1;
        for word in inverted.as_mut_slice()[1..last].as_flattened_mut().as_chunks_mut().0 {
            // The tables of decryption hold InvMixColumns of InvSubBytes, which SubBytes undoes.
            *word = look_up(&DECRYPT, word.map(|byte| SBOX[usize::from(byte)])).to_le_bytes();
        }
    }

    name: "aes.encrypt_blocks/portable_tables", primitive: super::EncryptBlocks,
    fn encrypt_blocks(keys: &EncryptKeys, blocks: InOutBuf<'_, '_, Block>) {
        for mut block in blocks {
            *block.get_out() = encrypt(keys.schedule().as_slice(), *block.get_in());
        }
    }

    name: "aes.decrypt_blocks/portable_tables", primitive: super::DecryptBlocks,
    fn decrypt_blocks(keys: &DecryptKeys, blocks: InOutBuf<'_, '_, Block>) {
        for mut block in blocks {
            *block.get_out() = decrypt(keys.schedule().as_slice(), *block.get_in());
        }
    }

    name: "aes.cbc_encrypt/portable_tables", primitive: super::CbcEncrypt,
    fn cbc_encrypt(keys: &EncryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        composition::cbc_encrypt(chain, blocks, |blocks| encrypt_blocks(keys, blocks));
    }

    name: "aes.cbc_encrypt_lanes/portable_tables", primitive: super::CbcEncryptLanes,
    fn cbc_encrypt_lanes(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]) {
        composition::cbc_encrypt_lanes(keys, chains, messages, cbc_encrypt);
    }

    name: "aes.cbc_decrypt/portable_tables", primitive: super::CbcDecrypt,
    fn cbc_decrypt(keys: &DecryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        composition::cbc_decrypt::<1>(chain, blocks, |blocks| decrypt_blocks(keys, blocks));
    }

    name: "aes.ctr/portable_tables", primitive: super::Ctr,
    fn ctr(keys: &EncryptKeys, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        composition::ctr::<1>(counter, blocks, |blocks| encrypt_blocks(keys, blocks));
    }
}

/// For each row of a column, what a byte there adds to the column after SubBytes and MixColumns.
static ENCRYPT: [[u32; 256]; 4] = tables(&SBOX, [2, 1, 1, 3]);
/// The same for InvSubBytes and InvMixColumns.
static DECRYPT: [[u32; 256]; 4] = tables(&INVERSE, [14, 9, 13, 11]);

/// Tables of a substitution, and of the first column of a circulant matrix.
const fn tables(sbox: &[u8; 256], matrix: [u8; 4]) -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut x = 0;
    while x < 256 {
        let s = sbox[x];
        let [a, b, c, d] = matrix;
        let column = u32::from_le_bytes([multiply(s, a), multiply(s, b), multiply(s, c), multiply(s, d)]);
        let mut row = 0;
        while row < 4 {
            tables[row][x] = column.rotate_left(8 * row as u32);
            row += 1;
        }
        x += 1;
    }
    tables
}

/// The column that the bytes of four rows make.
#[inline(always)]
fn look_up(tables: &[[u32; 256]; 4], rows: [u8; 4]) -> u32 {
    let [a, b, c, d] = rows.map(usize::from);
    tables[0][a] ^ tables[1][b] ^ tables[2][c] ^ tables[3][d]
}

fn sub_word(word: u32) -> u32 {
    u32::from_le_bytes(word.to_le_bytes().map(|byte| SBOX[usize::from(byte)]))
}

#[inline(always)]
fn encrypt(keys: &[Block], block: Block) -> Block {
    cipher::<1>(&ENCRYPT, &SBOX, keys, block)
}

#[inline(always)]
fn decrypt(keys: &[Block], block: Block) -> Block {
    cipher::<3>(&DECRYPT, &INVERSE, keys, block)
}

/// Either direction: `SHIFT` is by how many columns further on a row finds its byte than the row above does.
#[inline(always)]
fn cipher<const SHIFT: usize>(tables: &[[u32; 256]; 4], sbox: &[u8; 256], keys: &[Block], block: Block) -> Block {
    let [first, rounds @ .., last] = keys else { return block };
    let mut state = add(words(&block), first);
    for key in rounds {
        let rows = state.map(u32::to_le_bytes);
        let column = |c: usize| look_up(tables, shifted::<SHIFT>(&rows, c));
        state = add([column(0), column(1), column(2), column(3)], key);
    }
    let rows = state.map(u32::to_le_bytes);
    let column = |c: usize| u32::from_le_bytes(shifted::<SHIFT>(&rows, c).map(|byte| sbox[usize::from(byte)]));
    let state = add([column(0), column(1), column(2), column(3)], last);
    let mut output = [0; 16];
    output.as_chunks_mut().0.copy_from_slice(&state.map(u32::to_le_bytes));
    output
}

/// Column `c` after ShiftRows or InvShiftRows.
#[inline(always)]
fn shifted<const SHIFT: usize>(columns: &[[u8; 4]; 4], c: usize) -> [u8; 4] {
    std::array::from_fn(|row| columns[(c + SHIFT * row) % 4][row])
}

#[inline(always)]
fn add(state: [u32; 4], key: &Block) -> [u32; 4] {
    let key = words(key);
    std::array::from_fn(|c| state[c] ^ key[c])
}

#[inline(always)]
fn words(block: &Block) -> [u32; 4] {
    std::array::from_fn(|c| u32::from_le_bytes([block[4 * c], block[4 * c + 1], block[4 * c + 2], block[4 * c + 3]]))
}
