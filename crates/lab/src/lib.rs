//! The lab: measures implementations side by side in one run, with intervals, against the hardware's own limit.
//!
//! An [`experiment`] takes [cases](case) and [subjects], checks that the subjects' outputs agree, and then visits every
//! subject once a round, in random order, until the time is up. What they did in the same round is compared, so that
//! whatever else goes on on the machine cancels. The [`result`] is a document that serialises to JSON.
//!
//! The lab prints nothing and knows no command line.

pub mod affinity;
pub mod algorithm;
#[cfg(unix)]
pub mod builds;
pub mod case;
pub mod change;
pub mod clock;
pub mod composed;
pub mod experiment;
pub mod host;
pub mod import;
mod keys;
pub mod leak;
pub mod limits;
pub mod recommend;
pub mod report;
pub mod result;
pub mod ring;
pub mod sampler;
pub mod statistics;
pub mod store;
pub mod subjects;
pub mod trial;
pub mod tune;
