//! What is generated from the single definition of a prototype in `tephra_vendor`: a struct with the arguments of a
//! call.

use tephra_vendor::types::RawHandle;

/// What is known of every call from its prototype.
pub trait Prototype {
    /// The exported function, for messages.
    fn name(&self) -> &'static str;
    /// The handle, which is cuSOLVER's first argument.
    fn handle(&self) -> RawHandle;
}

/// `tephra_vendor::ROUTINE!(call NAME)` defines the struct NAME, whose fields are the arguments after the handle.
macro_rules! call {
    ($Call:ident ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*) $($name:ident $dtype:ident $size:ident;)*) => {
        /// The arguments of one call.
        #[derive(Clone, Copy, Debug)]
        pub struct $Call {
            /// The exported function, for messages.
            pub name: &'static str,
            /// Element type.
            pub dtype: $crate::Dtype,
            /// The handle.
            pub handle: RawHandle,
            $($(#[$doc])* pub $arg: $ty,)*
        }

        impl $crate::face::cusolver::prototype::Prototype for $Call {
            fn name(&self) -> &'static str {
                self.name
            }
            fn handle(&self) -> RawHandle {
                self.handle
            }
        }
    };
}
pub(super) use call;
