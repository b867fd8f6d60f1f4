//! Batches against one message at a time: random numbers of messages of random lengths, in random order.

use speedwell::batch::{Batch, BatchDigest, BatchError, CbcBatch, CbcKey, Start, digest_many, digest_many_by_name};
use speedwell::cipher::{CbcEncryptor, InOutBuf, Padding};
use speedwell::digest::{Digest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell::names::{Kind, algorithms};
use speedwell::select::Policy;

/// Messages of all kinds: few or many, short or long, alike or not.
fn messages(random: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    let most = [3, 20, 200][random.usize(..3)];
    let count = random.usize(0..=most);
    let longest = [0, 1, 64, 130, 300, 3000][random.usize(..6)];
    let alike = random.bool();
    let length = random.usize(0..=longest);
    let mut message = || {
        let length = if alike { length } else { random.usize(0..=longest) };
        (0..length).map(|_| random.u8(..)).collect()
    };
    (0..count).map(|_| message()).collect()
}

fn digests_are_those_of_single_messages<D: BatchDigest + Digest>() {
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..120 {
        let messages = messages(&mut random);
        let expected: Vec<_> = messages.iter().map(|message| <D as Digest>::digest(message)).collect();
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();

        let mut outputs = vec![Default::default(); messages.len()];
        digest_many::<D>(&slices, &mut outputs).unwrap();
        assert_eq!(outputs, expected, "round {round}");

        // In any order, with pauses, each tag once.
        let mut order: Vec<usize> = (0..messages.len()).collect();
        random.shuffle(&mut order);
        let mut outputs = vec![None; messages.len()];
        let mut batch = Batch::<D, usize>::new();
        for i in order {
            batch.submit(&messages[i], i, |i, digest| assert_eq!(outputs[i].replace(digest.clone()), None));
            if random.u8(..) < 10 {
                batch.finish(|i, digest| assert_eq!(outputs[i].replace(digest.clone()), None));
                assert_eq!(batch.pending(), 0);
            }
        }
        batch.finish(|i, digest| assert_eq!(outputs[i].replace(digest.clone()), None));
        assert_eq!(outputs.into_iter().map(Option::unwrap).collect::<Vec<_>>(), expected, "round {round}");
    }
}

#[test]
fn every_digest() {
    digests_are_those_of_single_messages::<Md5>();
    digests_are_those_of_single_messages::<Sha1>();
    digests_are_those_of_single_messages::<Sha224>();
    digests_are_those_of_single_messages::<Sha256>();
    digests_are_those_of_single_messages::<Sha384>();
    digests_are_those_of_single_messages::<Sha512>();
    digests_are_those_of_single_messages::<Sha512_224>();
    digests_are_those_of_single_messages::<Sha512_256>();
}

#[test]
fn every_length_around_the_padding() {
    let message = [0x61; 300];
    let messages: Vec<&[u8]> = (0..=300).map(|length| &message[..length]).collect();
    for algorithm in algorithms() {
        let Kind::Digest { output, .. } = algorithm.kind else { continue };
        let mut outputs = vec![0; messages.len() * output];
        digest_many_by_name(algorithm.name, &messages, &mut outputs).unwrap();
        for (message, digest) in messages.iter().zip(outputs.chunks(output)) {
            let mut hasher = speedwell::digest::by_name(algorithm.name).unwrap();
            hasher.update(message);
            assert_eq!(*digest, *hasher.finalize(), "{}, {} bytes", algorithm.name, message.len());
        }
    }
}

/// HMAC (RFC 2104) from batches that start behind its padded keys, against test cases 1 and 4 of RFC 4231 and 2 of RFC 2202.
#[test]
fn a_batch_starts_from_a_state() {
    fn hmacs<D: BatchDigest>(key: &[u8], messages: &[&[u8]]) -> Vec<Vec<u8>> {
        let padded = |with: u8| {
            let mut block = vec![with; 64];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            Start::<D>::after(&block, Policy::Secret).unwrap()
        };
        let pass = |start: Start<D>, messages: &[&[u8]]| {
            let mut outputs = vec![Vec::new(); messages.len()];
            let mut batch = Batch::<D, usize>::new();
            for (i, message) in messages.iter().enumerate() {
                batch.submit_from(&start, message, i, |i, digest| outputs[i] = digest.to_vec());
            }
            batch.finish(|i, digest| outputs[i] = digest.to_vec());
            outputs
        };
        let inner = pass(padded(0x36), messages);
        pass(padded(0x5c), &inner.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let many = hmacs::<Sha256>(&[0x0b; 20], &[&b"Hi There"[..]; 50]);
    assert!(many.iter().all(|mac| hex(mac) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
    let long = [0xcd; 50];
    let key: Vec<u8> = (1..=25).collect();
    assert_eq!(
        hex(&hmacs::<Sha256>(&key, &[&long])[0]),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    );
    assert_eq!(
        hex(&hmacs::<Md5>(b"Jefe", &[&b"what do ya want for nothing?"[..]; 9])[8]),
        "750c783e6ab0b503eaa86e310a5db738"
    );
}

#[test]
fn cbc_is_that_of_single_messages() {
    fn check<const KEY: usize>(random: &mut fastrand::Rng) {
        let mut block = |_| random.u8(..);
        let keys: Vec<[u8; KEY]> = (0..7).map(|_| std::array::from_fn(&mut block)).collect();
        let ivs: Vec<[u8; 16]> = (0..200).map(|_| std::array::from_fn(&mut block)).collect();
        let expanded: Vec<CbcKey<KEY>> = keys.iter().map(CbcKey::new).collect();
        for _ in 0..60 {
            let mut messages = messages(random);
            messages.iter_mut().for_each(|message| message.truncate(message.len() / 16 * 16));
            let single = |(i, message): (usize, &Vec<u8>)| {
                CbcEncryptor::new(&keys[i % 7], &ivs[i]).encrypt_to_vec(message, Padding::None).unwrap()
            };
            let expected: Vec<Vec<u8>> = messages.iter().enumerate().map(single).collect();

            let mut elsewhere: Vec<Vec<u8>> = messages.iter().map(|message| vec![0; message.len()]).collect();
            let mut ended = vec![0; messages.len()];
            let mut batch = CbcBatch::new();
            for (i, (message, output)) in messages.iter().zip(&mut elsewhere).enumerate() {
                let both = InOutBuf::new(message, output).unwrap();
                batch.submit(&expanded[i % 7], &ivs[i], both, i, |i: usize| ended[i] += 1).unwrap();
            }
            batch.finish(|i| ended[i] += 1);
            drop(batch);
            assert_eq!(elsewhere, expected);
            assert!(ended.iter().all(|times| *times == 1));

            let mut batch = CbcBatch::new();
            for (i, message) in messages.iter_mut().enumerate() {
                batch.submit(&expanded[i % 7], &ivs[i], InOutBuf::from(&mut message[..]), (), |()| {}).unwrap();
            }
            batch.finish(|()| {});
            drop(batch);
            assert_eq!(messages, expected);
        }
    }
    let mut random = fastrand::Rng::with_seed(2);
    check::<16>(&mut random);
    check::<24>(&mut random);
    check::<32>(&mut random);
}

#[test]
fn refusals_say_what_to_do() {
    let says = |error: BatchError, words: &str| assert!(error.to_string().contains(words), "{error}");
    says(digest_many::<Sha256>(&[b"one"], &mut []).unwrap_err(), "0 outputs for 1 messages");
    says(
        digest_many_by_name("sha256", &[b"one"], &mut [0; 31]).unwrap_err(),
        "31 bytes where all digests together have 32",
    );
    says(digest_many_by_name("sha-256", &[], &mut []).unwrap_err(), "canonical name");
    says(Start::<Sha512>::after(&[0; 64], Policy::Public).err().unwrap(), "whole number of blocks of 128");
    let key = CbcKey::new(&[0; 16]);
    let mut message = [0; 17];
    let refused = CbcBatch::new().submit(&key, &[0; 16], InOutBuf::from(&mut message[..]), (), |()| {});
    says(refused.unwrap_err(), "pad the message");
}
