//! The messages between the lab and a worker, one JSON object a line. docs/workers.md shows them.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::sampler::Visit;
use crate::subjects::{Facts, Prepared};

/// The version of the protocol that this crate speaks, at both ends.
pub const VERSION: u32 = 1;

/// What the lab asks for. The end of the input asks the worker to end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Set the case up and do it once: answered by [`Reply::Prepared`] or [`Reply::Skip`].
    Prepare(Case),
    /// Warm up and take samples of the case set up last: answered by [`Reply::Samples`] or [`Reply::Skip`].
    Visit(Visit),
}

/// What a worker says: first one of the first two unasked, then one reply to each request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// It is ready.
    Hello {
        /// The version of the protocol that it speaks.
        protocol: u32,
        /// What it is.
        facts: Facts,
    },
    /// It has nothing to offer, for this reason, and ends.
    Unavailable(String),
    /// The case is set up.
    Prepared(Prepared),
    /// Nanoseconds per call, one value a sample.
    Samples(Vec<f64>),
    /// It cannot do this, for this reason; it can go on with another case.
    Skip(String),
}
