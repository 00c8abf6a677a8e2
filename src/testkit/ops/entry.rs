//! How a call is made, whatever it computes.

use super::Form;
use crate::guarded::Placement;
use crate::qr::Session;

/// What a call goes through, and where its operands lie.
pub struct Entry<'a> {
    /// The stream, handle and queue.
    pub session: &'a Session,
    /// The interface.
    pub form: Form,
    /// The memory.
    pub place: Placement,
}

impl<'a> Entry<'a> {
    /// Between red zones, in order.
    pub fn guarded(session: &'a Session, form: Form) -> Self {
        Entry { session, form, place: Placement::guarded() }
    }

    /// Between red zones, in any order where the form has pointer arrays.
    pub fn anywhere(session: &'a Session, form: Form, seed: u64) -> Self {
        let in_order = [Form::Strided, Form::One].contains(&form);
        let place = if in_order { Placement::guarded() } else { Placement::shuffled(seed) };
        Entry { session, form, place }
    }

    /// One member after the other.
    pub fn tight(session: &'a Session, form: Form) -> Self {
        Entry { session, form, place: Placement::tight() }
    }
}
