//! A process names its profile once, before anything else: a test program of its own.

use std::fs;
use std::path::Path;

use speedwell::select::{
    Point, Policy, ProfileError, Reason, Selector, Speeds, build_id, plan, profile_text, use_profile,
};
use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::{Primitive, sha256};

#[test]
fn a_profile_is_named_before_the_first_plan_or_not_at_all() {
    assert!(matches!(use_profile(Path::new("no/such/profile")), Err(ProfileError::Unreadable { .. })));
    let mut speeds = Speeds::default();
    for kernel in sha256::Compress::kernels() {
        let nanoseconds = if kernel.descriptor().implementation() == "portable" { 1.0 } else { 2.0 };
        speeds.add(kernel.descriptor().name, Point { bytes: 64, nanoseconds });
    }
    let path = std::env::temp_dir().join(format!("speedwell-profile-{}", std::process::id()));
    fs::write(&path, profile_text(&Cpu::host().fingerprint(), &build_id(), &speeds)).unwrap();
    let named = use_profile(&path);
    let again = use_profile(&path);
    fs::remove_file(&path).unwrap();
    assert_eq!(named, Ok(()));
    assert_eq!(again, Err(ProfileError::TooLate));
    assert!(Selector::host().profile().is_some());
    let plan = plan::<sha256::Compress>(Policy::Public).unwrap();
    assert_eq!(plan.reason(), Reason::Profile);
    assert_eq!(plan.kernel(64).descriptor().implementation(), "portable");
}
