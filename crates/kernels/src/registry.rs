//! What a primitive, a kernel and a bound kernel are, and the three macros that declare them.
//!
//! - `primitive!` states a signature. It makes a marker type that implements [`Primitive`] and gives
//!   [`Bound`] of it a `call` with that signature.
//! - `kernel!` states one implementation: its instruction sets and timing class once, then its functions.
//! - `kernels!` is a family's list, in order of preference: a line a file.
//!
//! Everything that treats all kernels alike (tests, the laboratory, `speedwell list`) iterates over [`crate::all`].

use std::any::Any;
use std::fmt;

use crate::cpu::{Cpu, Isa, IsaSet};
use crate::exercise::{Exercise, KnownAnswer, Shape};

/// A fixed function signature where speed lives, with all the kernels that implement it.
pub trait Primitive: Sized + Send + Sync + 'static {
    /// Family and function, such as `sha256.compress`.
    const NAME: &'static str;
    /// The lengths that a caller may use, and what a run of it reads and writes.
    const SHAPE: Shape;
    /// Published answers that every kernel must give before it is used.
    const KNOWN_ANSWERS: &'static [KnownAnswer];

    /// The function pointer of a kernel.
    type Function: Copy + Send + Sync + 'static;

    /// The kernels of the family that this primitive belongs to, a slice a file, best first.
    fn family() -> &'static [&'static [&'static dyn AnyKernel]];

    /// Sets a kernel up with a key and a chaining value (hash state, IV or counter; see [`Shape`]), ready to run
    /// over data. The lengths are those that [`Primitive::SHAPE`] allows.
    fn exercise(kernel: Bound<Self>, key: &[u8], chain: &[u8]) -> Box<dyn Exercise>;

    /// The kernels of this primitive, best first.
    fn kernels() -> impl Iterator<Item = &'static Kernel<Self>> {
        Self::family().iter().flat_map(|file| file.iter()).filter_map(|kernel| kernel.as_any().downcast_ref())
    }

    /// The portable reference: the kernel named `portable…` that comes last in the list.
    fn portable() -> Bound<Self> {
        Self::kernels()
            .filter(|kernel| kernel.descriptor.needs.is_empty())
            .last()
            .and_then(|kernel| kernel.bind(Cpu::host()))
            .expect("every primitive has a portable kernel: a test checks it")
    }
}

/// How a kernel's running time and memory accesses depend on secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Neither the instructions executed nor the addresses touched depend on keys or data. A claim:
    /// SIDE-CHANNELS.md says what supports it.
    Constant,
    /// Looks up tables at addresses made from keys or data, which a neighbour on the same cache can observe.
    TableLookups,
}

impl Timing {
    /// The name that `speedwell list` prints.
    pub fn name(self) -> &'static str {
        match self {
            Timing::Constant => "constant",
            Timing::TableLookups => "table-lookups",
        }
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// What there is to know about a kernel without calling it.
#[derive(Debug)]
pub struct Descriptor {
    /// `family.function/implementation`, such as `sha256.compress/x86_64_shani`.
    pub name: &'static str,
    /// The instruction sets it was compiled with, beyond the target's baseline.
    pub needs: IsaSet,
    /// Its timing class.
    pub timing: Timing,
    /// The source file, as the compiler named it.
    pub source: &'static str,
}

impl Descriptor {
    /// The primitive's part of the name: `sha256.compress`.
    pub fn primitive(&self) -> &'static str {
        self.name.split_once('/').map_or(self.name, |(primitive, _)| primitive)
    }

    /// The implementation's part of the name: `x86_64_shani`.
    pub fn implementation(&self) -> &'static str {
        self.name.split_once('/').map_or("", |(_, implementation)| implementation)
    }
}

/// One implementation of the primitive `P`. It can be inspected, but not called until it is [bound](Kernel::bind).
pub struct Kernel<P: Primitive> {
    descriptor: Descriptor,
    function: P::Function,
}

impl<P: Primitive> Kernel<P> {
    /// Only for `kernel!`: the function must need no more than the descriptor says.
    pub(crate) const fn new(descriptor: Descriptor, function: P::Function) -> Self {
        Kernel { descriptor, function }
    }

    /// What there is to know about it.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// The only way to call a kernel: `None` unless `cpu` has every instruction set that it needs.
    pub fn bind(&'static self, cpu: &Cpu) -> Option<Bound<P>> {
        cpu.features().contains(self.descriptor.needs).then_some(Bound { function: self.function, kernel: self })
    }
}

/// A kernel that this processor can run: the proof that the check was made. Copied freely, called directly.
pub struct Bound<P: Primitive> {
    pub(crate) function: P::Function,
    kernel: &'static Kernel<P>,
}

impl<P: Primitive> Bound<P> {
    /// What there is to know about the kernel.
    pub fn descriptor(&self) -> &'static Descriptor {
        &self.kernel.descriptor
    }

    /// Whether the kernel gives every published answer of its primitive.
    pub fn passes_known_answers(self) -> bool {
        P::KNOWN_ANSWERS.iter().all(|answer| answer.holds(P::exercise(self, answer.key, answer.chain)))
    }
}

impl<P: Primitive> Clone for Bound<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Primitive> Copy for Bound<P> {}

impl<P: Primitive> fmt::Debug for Bound<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Bound").field(&self.kernel.descriptor.name).finish()
    }
}

/// A kernel of any primitive, as the lists hold them.
pub trait AnyKernel: Send + Sync + 'static {
    /// What there is to know about it.
    fn descriptor(&'static self) -> &'static Descriptor;
    /// The lengths that its primitive allows.
    fn shape(&self) -> Shape;
    /// The published answers of its primitive.
    fn known_answers(&self) -> &'static [KnownAnswer];
    /// Sets it up for a run as [`Primitive::exercise`] does; `None` if `cpu` cannot run it.
    fn exercise(&'static self, cpu: &Cpu, key: &[u8], chain: &[u8]) -> Option<Box<dyn Exercise>>;
    /// The instruction sets that it needs and `cpu` lacks.
    fn missing(&'static self, cpu: &Cpu) -> Vec<Isa> {
        self.descriptor().needs.iter().filter(|isa| !cpu.features().has(*isa)).collect()
    }
    /// For [`Primitive::kernels`].
    fn as_any(&'static self) -> &'static dyn Any;
}

impl<P: Primitive> AnyKernel for Kernel<P> {
    fn descriptor(&'static self) -> &'static Descriptor {
        &self.descriptor
    }

    fn shape(&self) -> Shape {
        P::SHAPE
    }

    fn known_answers(&self) -> &'static [KnownAnswer] {
        P::KNOWN_ANSWERS
    }

    fn exercise(&'static self, cpu: &Cpu, key: &[u8], chain: &[u8]) -> Option<Box<dyn Exercise>> {
        self.bind(cpu).map(|bound| P::exercise(bound, key, chain))
    }

    fn as_any(&'static self) -> &'static dyn Any {
        self
    }
}

/// States a primitive of the family in whose `mod.rs` it stands:
/// `primitive! { "sha256.compress"; pub trait Compress = fn(state: &mut [u32; 8], …); shape: …; known_answers: …; exercise: … }`.
macro_rules! primitive {
    ($name:literal;
     $(#[$meta:meta])*
     pub trait $primitive:ident = fn($($argument:ident: $type:ty),* $(,)?);
     shape: $shape:expr;
     known_answers: $answers:expr;
     exercise: $exercise:expr;
    ) => {
        $(#[$meta])*
        pub enum $primitive {}

        impl $crate::Primitive for $primitive {
            const NAME: &'static str = $name;
            const SHAPE: $crate::exercise::Shape = $shape;
            const KNOWN_ANSWERS: &'static [$crate::exercise::KnownAnswer] = $answers;
            type Function = unsafe fn($($type),*);

            fn family() -> &'static [&'static [&'static dyn $crate::AnyKernel]] {
                KERNELS
            }

            fn exercise(
                kernel: $crate::Bound<Self>,
                key: &[u8],
                chain: &[u8],
            ) -> Box<dyn $crate::exercise::Exercise> {
                let set_up: fn($crate::Bound<Self>, &[u8], &[u8]) -> _ = $exercise;
                Box::new(set_up(kernel, key, chain))
            }
        }

        impl $crate::Bound<$primitive> {
            #[doc = concat!("Runs the kernel: `", $name, "`.")]
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            pub fn call(self, $($argument: $type),*) {
                // SAFETY: `Kernel::bind` makes a `Bound` only for a processor that has every instruction set the
                // kernel needs, and a kernel is a safe function but for those.
                unsafe { (self.function)($($argument),*) }
            }
        }
    };
}

/// Lists the files of a family, best first: each is one implementation. Attributes such as `#[cfg(…)]` may precede a name.
macro_rules! kernels {
    ($($(#[$meta:meta])* $file:ident),* $(,)?) => {
        $($(#[$meta])* mod $file;)*

        /// The implementations of this family, best first; of each, its kernels.
        pub static KERNELS: &[&[&dyn $crate::AnyKernel]] = &[$($(#[$meta])* $file::KERNELS),*];
    };
}

/// Declares one implementation: instruction sets and timing class once, then functions.
///
/// A function after `name:` and `primitive:` is a kernel; a function after `helper` is compiled with the same
/// instruction sets and inlined into the kernels; one after `outlined` stays by itself, so that a path that is seldom
/// taken, or a long one, costs the others no registers and no stack.
///
/// ```text
/// kernel! {
///     isa: ["sha", "ssse3"], timing: Constant,
///
///     name: "sha256.compress/x86_64_shani", primitive: super::Compress,
///     fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) { … }
///
///     helper fn rounds<const N: usize>(…) -> … { … }
/// }
/// ```
macro_rules! kernel {
    (isa: [$($isa:literal),* $(,)?], timing: $timing:ident, $($items:tt)*) => {
        const NEEDS: $crate::cpu::IsaSet = $crate::cpu::IsaSet::named(&[$($isa),*]);

        kernel! { @items [$($isa)*] $timing [] $($items)* }
    };
    (@items [$($isa:literal)*] $timing:ident [$($list:tt)*]
        $(#[$meta:meta])*
        name: $name:literal, primitive: $primitive:ty,
        fn $function:ident($($arguments:tt)*) $body:block
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        $(#[target_feature(enable = $isa)])*
        fn $function($($arguments)*) $body

        kernel! { @items [$($isa)*] $timing [$($list)* ($name, $primitive, $function)] $($rest)* }
    };
    (@items [$($isa:literal)*] $timing:ident [$($list:tt)*]
        $(#[$meta:meta])*
        helper fn $function:ident $(<$(const $parameter:ident: $kind:ty),*>)? ($($arguments:tt)*) $(-> $result:ty)? $body:block
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[inline]
        $(#[target_feature(enable = $isa)])*
        fn $function $(<$(const $parameter: $kind),*>)? ($($arguments)*) $(-> $result)? $body

        kernel! { @items [$($isa)*] $timing [$($list)*] $($rest)* }
    };
    (@items [$($isa:literal)*] $timing:ident [$($list:tt)*]
        $(#[$meta:meta])*
        outlined fn $function:ident $(<$(const $parameter:ident: $kind:ty),*>)? ($($arguments:tt)*) $(-> $result:ty)? $body:block
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[inline(never)]
        $(#[target_feature(enable = $isa)])*
        fn $function $(<$(const $parameter: $kind),*>)? ($($arguments)*) $(-> $result)? $body

        kernel! { @items [$($isa)*] $timing [$($list)*] $($rest)* }
    };
    (@items $isas:tt $timing:ident [$(($name:literal, $primitive:ty, $function:ident))*]) => {
        pub(super) static KERNELS: &[&dyn $crate::AnyKernel] = &[$({
            const FUNCTION: <$primitive as $crate::Primitive>::Function = $function;
            static KERNEL: $crate::Kernel<$primitive> = $crate::Kernel::new(
                $crate::Descriptor {
                    name: $name,
                    needs: NEEDS,
                    timing: $crate::Timing::$timing,
                    source: file!(),
                },
                FUNCTION,
            );
            &KERNEL
        }),*];
    };
}
