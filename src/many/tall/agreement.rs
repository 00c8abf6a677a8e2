//! The first exchange between ranks. No rank goes on unless all can.

use crate::comm::{Comm, Context, RECORD};
use crate::failure::Failure;

/// The function that was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RoutineCode {
    Qr = 1,
    Geqr = 2,
    Gemqr = 3,
    Gels = 4,
}

/// One rank's call. The order of the fields is that of the message, in native byte order, since all ranks have the same
/// architecture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Record {
    /// Identifies a record and its layout.
    magic: u32,
    /// [`RoutineCode`], element type, and the routine's flags.
    pub call: [u8; 3],
    /// Bit 0: this rank cannot go on. Bit 1: the communicator has no broadcast.
    bits: u8,
    /// Rows on this rank.
    pub m: i64,
    /// Columns and right-hand sides.
    pub n: i64,
    pub nrhs: i64,
    /// A hash of everything that affects the bits of a result.
    pub fingerprint: u64,
}

const MAGIC: u32 = 0x5e9a_0001;
const FAILED: u8 = 1;
const NO_BROADCAST: u8 = 2;
const BYTES: usize = size_of::<Record>();
const _: () = assert!(BYTES == size_of::<[u64; RECORD]>() && align_of::<Record>() == align_of::<u64>());

impl Record {
    pub fn new(call: [u8; 3], [m, n, nrhs]: [i64; 3], fingerprint: u64) -> Record {
        Record { magic: MAGIC, call, bits: 0, m, n, nrhs, fingerprint }
    }

    pub fn bytes(&self) -> [u8; BYTES] {
        // SAFETY: the struct consists of integers without padding.
        unsafe { std::mem::transmute(*self) }
    }
}

/// FNV-1a hash of the concatenated byte strings.
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    texts.into_iter().flatten().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Tells the other ranks about this call, where `own` says whether this rank can go on, and receives their records. All
/// ranks fail if one of them cannot go on or makes a different call. Writes the number of rows on each rank to `rows`,
/// and returns whether all ranks compute the same bits from the same stack.
pub fn agree(comm: &Comm, context: &Context, mine: Record, own: Result<&mut [i64], Failure>) -> Result<bool, Failure> {
    let mut mine = mine;
    mine.bits = if own.is_err() { FAILED } else { 0 } | if comm.transport().broadcasts() { 0 } else { NO_BROADCAST };
    let mut words = comm.records.take();
    let of_all = words.as_flattened_mut();
    // SAFETY: integers as bytes.
    let all = unsafe { std::slice::from_raw_parts_mut(of_all.as_mut_ptr().cast::<u8>(), size_of_val(of_all)) };
    let met = comm.transport().agree(context, &mine.bytes(), all);
    // SAFETY: a record is as large as its words and no more aligned, and any bit pattern is a valid one.
    let records = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<Record>(), words.len()) };
    let agreed = own.and_then(|rows| {
        met?;
        rows.iter_mut().zip(records).for_each(|(m, record)| *m = record.m);
        compare_records(records)
    });
    comm.records.set(words);
    agreed
}

/// Whether all ranks compute the same bits, if they make the same call.
fn compare_records(records: &[Record]) -> Result<bool, Failure> {
    let refuse = |text: String| Err(Failure::Communication(text));
    let first = records[0];
    for (rank, record) in records.iter().enumerate() {
        if record.magic != MAGIC {
            return refuse(format!("rank {rank} has another version of the library, or is in another call"));
        }
    }
    if let Some(rank) = records.iter().position(|record| record.bits & FAILED != 0) {
        return refuse(format!("rank {rank} cannot do its part: its own error says why"));
    }
    for (rank, record) in records.iter().enumerate() {
        if record.call != first.call {
            return refuse(format!(
                "rank {rank} calls a different routine from rank 0, or the same one with different flags"
            ));
        }
        for (name, here, there) in [("columns", record.n, first.n), ("right-hand sides", record.nrhs, first.nrhs)] {
            if here != there {
                return refuse(format!("rank {rank} has {here} {name}, and rank 0 has {there}"));
            }
        }
    }
    let same_bits = records.iter().all(|record| record.fingerprint == first.fingerprint);
    if !same_bits && records.iter().any(|record| record.bits & NO_BROADCAST != 0) {
        return refuse("ranks with different devices or plans need a communicator with a broadcast".into());
    }
    Ok(same_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(m: i64) -> Record {
        Record::new([RoutineCode::Qr as u8, 1, 1], [m, 5, 0], 7)
    }

    fn text(records: &[Record]) -> String {
        compare_records(records).err().map_or(String::new(), |failure| failure.to_string())
    }

    #[test]
    fn only_equal_calls_go_on() {
        let agreed = compare_records(&[record(9), record(0), record(4)]).unwrap_or_else(|failure| panic!("{failure}"));
        assert!(agreed);
        let wide = Record { n: 6, ..record(9) };
        assert_eq!(text(&[record(9), record(9), wide]), "rank 2 has 6 columns, and rank 0 has 5");
        let other = Record { call: [RoutineCode::Gels as u8, 1, 1], ..record(9) };
        assert!(text(&[record(9), other]).contains("rank 1 calls a different routine"));
        let failed = Record { bits: FAILED, ..record(9) };
        assert!(text(&[record(9), failed]).contains("rank 1 cannot"));
        assert!(text(&[record(9), Record { magic: 0, ..record(9) }]).contains("rank 1 has another version"));
    }

    #[test]
    fn unlike_ranks_need_a_broadcast() {
        let unlike = Record { fingerprint: 8, ..record(9) };
        let agreed = compare_records(&[record(9), unlike]).unwrap_or_else(|failure| panic!("{failure}"));
        assert!(!agreed);
        assert!(text(&[Record { bits: NO_BROADCAST, ..record(9) }, unlike]).contains("broadcast"));
    }
}
