//! How the first n rows of the whole matrix are distributed over the ranks.

/// The distribution of a matrix from one rank's point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// For each rank, the first and the number of its rows among the first n rows of the matrix.
    pub tops: Vec<(i64, i64)>,
    /// Maximum over the ranks of that number.
    pub max_top: i64,
    /// First of this rank's rows among the first n.
    pub first: i64,
    /// Number of this rank's rows that are among the first n, and of those that are not.
    pub top: i64,
    pub rest: i64,
}

impl Rows {
    /// Returns `None` if all ranks together have fewer than n rows, or if the sum overflows. `tops` is an empty list with
    /// room for all ranks, since there may be no memory for it any more when the rows are known.
    pub fn of(rows: &[i64], n: i64, rank: usize, mut tops: Vec<(i64, i64)>) -> Option<Rows> {
        let mut before = 0i64;
        for &m in rows {
            tops.push((before.min(n), m.min(n - before.min(n))));
            before = before.checked_add(m)?;
        }
        let max_top = tops.iter().map(|top| top.1).max()?;
        let (first, top) = tops[rank];
        (before >= n).then(|| Rows { max_top, first, top, rest: rows[rank] - top, tops })
    }

    /// Number of rows of this rank's triangle.
    pub fn triangle(&self, n: i64) -> i64 {
        self.rest.min(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_are_shared_in_order() {
        let rows = Rows::of(&[100, 50], 8, 0, vec![]).unwrap();
        assert_eq!((rows.tops.as_slice(), rows.max_top, rows.top, rows.rest), (&[(0, 8), (8, 0)][..], 8, 8, 92));
        let rows = Rows::of(&[3, 0, 4, 50], 8, 2, vec![]).unwrap();
        assert_eq!(rows.tops, [(0, 3), (3, 0), (3, 4), (7, 1)]);
        assert_eq!((rows.max_top, rows.first, rows.top, rows.rest, rows.triangle(8)), (4, 3, 4, 0, 0));
        assert_eq!(Rows::of(&[3, 0, 4, 50], 8, 3, vec![]).unwrap().rest, 49);
    }

    #[test]
    fn wide_matrices_have_no_such_distribution() {
        assert_eq!(Rows::of(&[3, 4], 8, 0, vec![]), None);
        assert!(Rows::of(&[4, 4], 8, 0, vec![]).is_some());
        assert_eq!(Rows::of(&[i64::MAX, i64::MAX], 8, 0, vec![]), None);
    }
}
