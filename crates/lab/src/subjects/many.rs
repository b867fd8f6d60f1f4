//! Our library on many messages at once: through the batches of the `speedwell` crate, with the kernels that it chooses or
//! with a forced one.

use speedwell::batch::{Batch, BatchDigest, CbcBatch, CbcKey, DigestPlans};
use speedwell::cipher::InOutBuf;
use speedwell::digest::{Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell::select::{Plan, Planned, Policy, Selector, plan};
use speedwell_kernels::AnyKernel;

use super::{Setup, Skip};
use crate::case::{Answer, Buffer, Case, Operation};

/// A batch of all messages of a case, made for every call. The kernel, if one is given, takes the primitive's place that
/// it is of.
pub(super) fn set_up(case: &Case, kernel: Option<&'static dyn AnyKernel>) -> Result<Setup, Skip> {
    match case.algorithm.as_str() {
        "md5" => digests::<Md5>(case, kernel),
        "sha1" => digests::<Sha1>(case, kernel),
        "sha224" => digests::<Sha224>(case, kernel),
        "sha256" => digests::<Sha256>(case, kernel),
        "sha384" => digests::<Sha384>(case, kernel),
        "sha512" => digests::<Sha512>(case, kernel),
        "sha512-224" => digests::<Sha512_224>(case, kernel),
        "sha512-256" => digests::<Sha512_256>(case, kernel),
        "aes-128-cbc" => cbc::<16>(case, kernel),
        "aes-192-cbc" => cbc::<24>(case, kernel),
        "aes-256-cbc" => cbc::<32>(case, kernel),
        other => Err(not_offered(other, case.operation)),
    }
}

fn not_offered(algorithm: &str, operation: Operation) -> Skip {
    Skip::NotOffered(format!("{algorithm} {operation} of several messages at once"))
}

fn digests<D: BatchDigest>(case: &Case, kernel: Option<&'static dyn AnyKernel>) -> Result<Setup, Skip> {
    let lanes = plan_of::<D::CompressLanes>(kernel, Policy::Public)?;
    let plans = DigestPlans::<D> { lanes, ..DigestPlans::new(Policy::Public).map_err(failed)? };
    let messages: Vec<Buffer> = (0..case.messages).map(|number| case.input_of(number)).collect();
    let mut outputs = vec![Default::default(); messages.len()];
    let call = move |outputs: &mut Vec<_>| {
        let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        Batch::with_plans(plans).digest_many(&slices, outputs).expect("there are as many outputs");
        std::hint::black_box(outputs);
    };
    call(&mut outputs);
    let answer = Answer::new(&outputs.concat());
    Ok(Setup {
        answer,
        kernel: kernel_of(lanes, case),
        run: Box::new(move |calls| (0..calls).for_each(|_| call(&mut outputs))),
    })
}

fn cbc<const KEY: usize>(case: &Case, kernel: Option<&'static dyn AnyKernel>) -> Result<Setup, Skip> {
    if case.operation != Operation::Encrypt {
        return Err(not_offered(&case.algorithm, case.operation));
    }
    if case.whole {
        return Err(Skip::NotOffered("a whole operation on several messages: keys are ready".to_owned()));
    }
    let single = plan(Policy::Secret).map_err(failed)?;
    let lanes = plan_of(kernel, Policy::Secret)?;
    let keys: Vec<CbcKey<KEY>> = (0..case.messages)
        .map(|number| CbcKey::new(case.key_of(number, KEY)[..].try_into().expect("it was made with this length")))
        .collect();
    let mut chains: Vec<[u8; 16]> = (0..case.messages)
        .map(|number| case.iv_of(number, 16)[..].try_into().expect("it was made with this length"))
        .collect();
    let mut messages: Vec<Buffer> = (0..case.messages).map(|number| case.input_of(number)).collect();
    let mut call = move |messages: &mut Vec<Buffer>| {
        let mut batch = CbcBatch::with_plans(single, lanes);
        for ((key, chain), message) in keys.iter().zip(&chains).zip(messages.iter_mut()) {
            batch.submit(key, chain, InOutBuf::from(&mut message[..]), (), |()| {}).expect("whole blocks");
        }
        batch.finish(|()| {});
        drop(batch);
        // The next call goes on from the chaining value of the one before.
        for (chain, message) in chains.iter_mut().zip(messages.iter()) {
            if let Some(last) = message.last_chunk() {
                *chain = *last;
            }
        }
        std::hint::black_box(messages);
    };
    call(&mut messages);
    let answer = Answer::new(&messages.iter().map(|message| &message[..]).collect::<Vec<_>>().concat());
    Ok(Setup {
        answer,
        kernel: kernel_of(lanes, case),
        run: Box::new(move |calls| (0..calls).for_each(|_| call(&mut messages))),
    })
}

/// The plan of the process, or one that is this kernel. Plans live as long as the process: a few bytes a setup.
fn plan_of<P: Planned>(kernel: Option<&'static dyn AnyKernel>, policy: Policy) -> Result<&'static Plan<P>, Skip> {
    let Some(kernel) = kernel else { return plan::<P>(policy).map_err(failed) };
    let descriptor = kernel.descriptor();
    let force = format!("{}={}", descriptor.primitive(), descriptor.implementation());
    let plan = Selector::new(&force, "").and_then(|selector| selector.plan::<P>(policy)).map_err(failed)?;
    Ok(Box::leak(Box::new(plan)))
}

fn failed(error: impl std::fmt::Display) -> Skip {
    Skip::Failed(error.to_string())
}

fn kernel_of<P: Planned>(plan: &Plan<P>, case: &Case) -> Option<String> {
    Some(plan.kernel(case.bytes * case.messages).descriptor().name.to_owned())
}
