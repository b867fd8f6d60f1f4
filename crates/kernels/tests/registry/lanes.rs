//! The kernels for many messages with every number of them: whole groups, groups with lanes to spare, and none.

use speedwell_kernels::aes::{Block, CbcEncrypt, CbcEncryptLanes, EncryptKeys, ExpandKey};
use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::exercise::InOutBuf;
use speedwell_kernels::{Bound, Primitive, md5, sha1, sha256, sha512};

const MOST: usize = 70;

fn usable<P: Primitive>() -> impl Iterator<Item = Bound<P>> {
    P::kernels().filter_map(|kernel| kernel.bind(Cpu::host()))
}

macro_rules! compressions {
    ($($test:ident: $family:ident [$word:ty; $words:literal], $block:literal;)*) => {
        $(#[test]
        fn $test() {
            let mut random = fastrand::Rng::with_seed(5);
            for count in 0..=MOST {
                // The longest is not worked on to its end, but as far as the shortest goes.
                let blocks = random.usize(0..4);
                let message = |_| (0..blocks + random.usize(0..2)).map(|_| [random.u8(..); $block]).collect();
                let mut messages: Vec<Vec<[u8; $block]>> = (0..count).map(message).collect();
                if let Some(message) = messages.first_mut() {
                    message.truncate(blocks);
                }
                let messages: Vec<&[[u8; $block]]> = messages.iter().map(Vec::as_slice).collect();
                let first: Vec<[$word; $words]> =
                    (0..count).map(|_| std::array::from_fn(|_| random.u64(..) as $word)).collect();
                let mut expected = first.clone();
                for (state, message) in expected.iter_mut().zip(&messages) {
                    $family::Compress::portable().call(state, &message[..blocks]);
                }
                for kernel in usable::<$family::CompressLanes>() {
                    let mut states = first.clone();
                    kernel.call(&mut states, &messages);
                    assert_eq!(states, expected, "{kernel:?}, {count} messages of {blocks} blocks");
                }
            }
        })*
    };
}

compressions! {
    every_number_of_messages_md5: md5 [u32; 4], 64;
    every_number_of_messages_sha1: sha1 [u32; 5], 64;
    every_number_of_messages_sha256: sha256 [u32; 8], 64;
    every_number_of_messages_sha512: sha512 [u64; 8], 128;
}

/// Keys of all sizes in any order, too.
#[test]
fn every_number_of_messages_cbc() {
    let mut random = fastrand::Rng::with_seed(6);
    for count in 0..=MOST {
        let sizes: &[usize] = if random.bool() { &[16] } else { &[16, 24, 32] };
        let blocks = [random.usize(0..13), random.usize(60..150)][random.usize(..2)];
        let mut some = |length: usize| (0..length).map(|_| random.u8(..)).collect::<Vec<u8>>();
        let keys: Vec<EncryptKeys> = (0..count)
            .map(|i| {
                let mut keys = EncryptKeys::default();
                ExpandKey::portable().call(&some(sizes[i * 7 / 5 % sizes.len()]), &mut keys);
                keys
            })
            .collect();
        let keys: Vec<&EncryptKeys> = keys.iter().collect();
        let ivs: Vec<Block> = (0..count).map(|_| some(16).try_into().unwrap()).collect();
        let plain: Vec<Vec<Block>> = (0..count).map(|_| vec![some(16).try_into().unwrap(); blocks]).collect();
        let (mut chains, mut expected) = (ivs.clone(), plain.clone());
        for i in 0..count {
            CbcEncrypt::portable().call(keys[i], &mut chains[i], InOutBuf::from(&mut expected[i][..]));
        }
        for kernel in usable::<CbcEncryptLanes>() {
            let (mut states, mut messages) = (ivs.clone(), plain.clone());
            let mut buffers: Vec<_> = messages.iter_mut().map(|message| InOutBuf::from(&mut message[..])).collect();
            kernel.call(&keys, &mut states, &mut buffers);
            assert!(messages == expected && states == chains, "{kernel:?}, {count} messages of {blocks} blocks");
        }
    }
}
