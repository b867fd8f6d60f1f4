//! Several instances of one subject that work at the same time, each on a core of its own.
//!
//! The figure of a team is the sum of its members' speeds. They start each visit together and sample side by side; the
//! samples are long enough that the little by which starts and ends differ does not matter.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use super::{Facts, Prepared, Skip, Subject};
use crate::affinity;
use crate::case::Case;
use crate::sampler::Visit;

/// A team of instances of one subject.
pub struct Team {
    captain: Box<dyn Subject>,
    size: usize,
    members: Vec<Member>,
}

/// A thread that owns an instance and does what it is told.
struct Member {
    orders: Option<Sender<Order>>,
    prepared: Receiver<Result<Prepared, Skip>>,
    visited: Receiver<Result<Vec<f64>, Skip>>,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Prepare(Case),
    Visit(Visit),
}

impl Team {
    /// A team of so many instances of that subject. They are started when there is a first case for them.
    pub fn new(subject: Box<dyn Subject>, size: usize) -> Team {
        Team { captain: subject, size, members: Vec::new() }
    }

    fn start(&mut self) -> Result<(), Skip> {
        let cores = affinity::allowed_cores();
        while self.members.len() < self.size {
            // From the last core down, and around again if there are more members than cores.
            let core = cores.iter().rev().cycle().nth(self.members.len()).copied();
            self.members.push(Member::start(self.captain.another()?, core));
        }
        Ok(())
    }

    /// Gives all members an order, then collects what all of them answer.
    fn all<T>(
        &self,
        order: impl Fn() -> Order,
        answer: impl Fn(&Member) -> &Receiver<Result<T, Skip>>,
    ) -> Result<Vec<T>, Skip> {
        for member in &self.members {
            if let Some(orders) = &member.orders {
                // A member whose thread is gone shows below, where its answer is missing.
                let _ = orders.send(order());
            }
        }
        let gone = |_| Err(Skip::Failed("a thread of the team ended".to_owned()));
        // Every answer is taken before the first error is looked at: the next order must not meet an old answer.
        let answers: Vec<_> = self.members.iter().map(|member| answer(member).recv().unwrap_or_else(gone)).collect();
        answers.into_iter().collect()
    }
}

impl Subject for Team {
    fn facts(&self) -> &Facts {
        self.captain.facts()
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        self.start()?;
        let prepared = self.all(|| Order::Prepare(case.clone()), |member| &member.prepared)?;
        let differs = prepared.iter().find(|other| other.answer != prepared[0].answer);
        if let Some(other) = differs {
            return Err(Skip::wrong(&other.answer, &prepared[0].answer, "another thread of the same team"));
        }
        prepared.into_iter().next().ok_or_else(|| Skip::Failed("a team of nobody".to_owned()))
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        let members = self.all(|| Order::Visit(visit), |member| &member.visited)?;
        let together = |sample: usize| members.iter().map(|times| times[sample].recip()).sum::<f64>().recip();
        Ok((0..visit.samples as usize).map(together).collect())
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(Team::new(self.captain.another()?, self.size)))
    }
}

impl Member {
    fn start(mut subject: Box<dyn Subject>, core: Option<usize>) -> Member {
        let (orders, inbox) = channel();
        let (prepare, prepared) = channel();
        let (visit, visited) = channel();
        let thread = thread::spawn(move || {
            if let Some(core) = core {
                affinity::pin_thread(core);
                subject.pin(core);
            }
            for order in inbox {
                let heard = match order {
                    Order::Prepare(case) => prepare.send(subject.prepare(&case)).is_ok(),
                    Order::Visit(plan) => visit.send(subject.visit(plan)).is_ok(),
                };
                if !heard {
                    return;
                }
            }
        });
        Member { orders: Some(orders), prepared, visited, thread: Some(thread) }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        // No more orders end the thread's loop.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
