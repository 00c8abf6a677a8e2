//! How a call is made, independent of the operation.

use super::EntryForm;
use crate::guarded::Placement;
use crate::qr::Session;

/// The interface of a call, and the placement of its operands in memory.
pub struct Entry<'a> {
    /// Supplies the stream, handle and queue.
    pub session: &'a Session,
    /// The interface.
    pub form: EntryForm,
    /// The placement of the operands.
    pub place: Placement,
}

impl<'a> Entry<'a> {
    /// Operands between red zones, with members in order.
    pub fn guarded(session: &'a Session, form: EntryForm) -> Self {
        Entry { session, form, place: Placement::guarded() }
    }

    /// Operands between red zones, with members shuffled if the form takes pointer arrays.
    pub fn anywhere(session: &'a Session, form: EntryForm, seed: u64) -> Self {
        let in_order = [EntryForm::Strided, EntryForm::One].contains(&form);
        let place = if in_order { Placement::guarded() } else { Placement::shuffled(seed) };
        Entry { session, form, place }
    }

    /// Members without gaps between them.
    pub fn tight(session: &'a Session, form: EntryForm) -> Self {
        Entry { session, form, place: Placement::tight() }
    }
}
