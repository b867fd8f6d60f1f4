//! Tests over every kernel of every primitive, driven by the registry: a new kernel is tested by being listed.

mod cases;
mod differential;
mod guard_pages;
mod lanes;
mod listing;

#[global_allocator]
static ALLOCATOR: guard_pages::GuardedAllocator = guard_pages::GuardedAllocator;
