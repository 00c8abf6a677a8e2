//! Compares the answers of workspace queries with what the calls accept.

use crate::cases::{Call, WORK};
use crate::native;
use std::collections::{BTreeSet, HashMap};
use std::ffi::c_int;
use tephra_testkit::library::symbol_name;
use tephra_testkit::signatures::{self, Prototype, is_by_value};
use tephra_testkit::{Dtype, Library, any_call};

/// The functions that take a workspace.
pub struct Workspaces {
    prototypes: HashMap<String, Prototype>,
    /// Those that the header declares and whose queries have not been asked yet.
    pub unasked: BTreeSet<String>,
}

impl Workspaces {
    pub fn new() -> Workspaces {
        let of = |signature: &signatures::Signature| {
            [signature.pointers(), signature.strided(), signature.one(), signature.varying()]
        };
        let all = signatures::ALL.iter().flat_map(|signature| of(signature)).filter(|p| p.query().is_some());
        let named = all.flat_map(|p| Dtype::ALL.map(|dtype| (symbol_name(p.symbol, dtype), p)));
        let queries = native::names();
        let unasked = queries.iter().filter_map(|name| name.strip_suffix("_workspace")).map(str::to_owned).collect();
        Workspaces { prototypes: named.collect(), unasked }
    }

    /// What the query of a call's function reports, in bytes. `None` for functions that take no workspace.
    pub fn of(&mut self, library: &Library, call: &Call) -> Option<usize> {
        let prototype = self.prototypes.get(&call.symbol)?;
        let words: Vec<&str> = prototype.arguments().into_iter().filter(|word| !is_by_value(word)).collect();
        let place = |word: &str| words.iter().position(|other| *other == word).expect("an argument of the call, too");
        let mut bytes = usize::MAX;
        let asked: Vec<u64> = prototype.query()?.into_iter().map(|word| call.arguments[place(word)]).collect();
        // SAFETY: the arguments are those of the query, of which header and signature agree.
        let code = unsafe {
            let query = format!("{}_workspace", call.symbol);
            any_call::call(library, &query, [0.0; 4], &[&asked[..], &[&raw mut bytes as u64]].concat())
        };
        assert_eq!(code, 0, "{}: its query failed: {}", call.describe(), library.last_error());
        self.unasked.remove(&call.symbol);
        Some(bytes)
    }

    /// A call with a workspace of this size, or with none, and the status that must refuse it if that is too small.
    pub fn with(&self, call: &Call, bytes: usize) -> (Call, c_int) {
        let words = self.prototypes[&call.symbol].arguments();
        let of_call = words.iter().filter(|word| !is_by_value(word)).position(|word| *word == "work_bytes");
        let (place, mut call) = (of_call.expect("a workspace"), call.clone());
        call.arguments[place - 1] = if bytes > 0 { WORK } else { 0 };
        call.arguments[place] = bytes as u64;
        let number = 1 + words.iter().position(|word| *word == "work_bytes").expect("a workspace");
        (call, -(number as c_int))
    }
}
