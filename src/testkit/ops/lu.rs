//! Calls of LU's routines. Their interfaces are alike: an argument list of words serves pointers and strides.

use super::{Access, Form, Prepared, Trans, beside, place_of, vectors, workspace};
use crate::guarded::{Guarded, Placement};
use crate::library::symbol_name;
use crate::qr::Session;
use crate::scalar::Field;
use crate::sweep::with_any_plan;
use crate::{Error, Matrix, Result, Scalar};
use std::ffi::c_int;

/// Forms of all of them.
pub const FORMS: [Form; 2] = [Form::Pointers, Form::Strided];

/// An operand: the word it is called by, its members, and whether it is written.
pub(super) type Operand<'a, T> = (&'static str, &'a [Matrix<T>], bool);

/// Whole numbers as elements, and back: see [`crate::engine::Inputs`].
pub fn from_integers<T: Scalar>(values: impl IntoIterator<Item = usize>) -> Matrix<T> {
    let values: Vec<T> = values.into_iter().map(|x| T::narrow(<T as Scalar>::Wide::real(x as f64))).collect();
    Matrix::from_fn(values.len(), 1, |i, _| values[i])
}

/// The inverse of [`from_integers`].
pub fn integers<T: Scalar>(of: &Matrix<T>) -> Vec<usize> {
    of.data().iter().map(|x| x.wide().re() as usize).collect()
}

/// `?getrf`, or without pivots (`ipiv` has no rows then) `?getrf_nopiv`: written are A and ipiv.
pub fn getrf<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    pivoting: bool,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("m", a[0].rows() as i64), ("n", a[0].cols() as i64)];
    if !pivoting {
        return prepare(session, form, "getrf_nopiv", "m n A lda info batch work", &sizes, &[("A", a, true)], place);
    }
    let ipiv = unset(a.len(), a[0].rows().min(a[0].cols()));
    let operands = [("A", a, true), ("ipiv", &ipiv[..], true)];
    prepare(session, form, "getrf", "m n A lda ipiv info batch work", &sizes, &operands, place)
}

/// `?getrs`: written is B. Without pivots ipiv is NULL.
pub fn getrs<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    trans: Trans,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("trans", trans.cblas().into()), ("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    let mut operands = vec![("A", factors, false), ("B", b, true)];
    operands.extend(ipiv.map(|ipiv| ("ipiv", ipiv, false)));
    prepare(session, form, "getrs", "trans n nrhs A lda ipiv B ldb batch work", &sizes, &operands, place)
}

/// `?gesv`: written are A, B and ipiv.
pub fn gesv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    let ipiv = unset(a.len(), a[0].rows());
    let operands = [("A", a, true), ("B", b, true), ("ipiv", &ipiv[..], true)];
    prepare(session, form, "gesv", "n nrhs A lda ipiv B ldb info batch work", &sizes, &operands, place)
}

/// `?gesv_rbt`: written are A and B.
pub fn gesv_rbt<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", b[0].rows() as i64), ("nrhs", b[0].cols() as i64)];
    prepare(
        session,
        form,
        "gesv_rbt",
        "n nrhs A lda B ldb info batch",
        &sizes,
        &[("A", a, true), ("B", b, true)],
        place,
    )
}

/// `?getri`: written is C, whose members are `c` before; `None`: in place, A. Without pivots ipiv is NULL.
pub fn getri<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    factors: &[Matrix<T>],
    ipiv: Option<&[Matrix<T>]>,
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let words = if c.is_some() { "n A lda ipiv C ldc info batch work" } else { "n A lda ipiv A lda info batch work" };
    let mut operands = vec![("A", factors, c.is_none())];
    operands.extend(c.map(|c| ("C", c, true)));
    operands.extend(ipiv.map(|ipiv| ("ipiv", ipiv, false)));
    prepare(session, form, "getri", words, &[("n", factors[0].rows() as i64)], &operands, place)
}

/// `?inv`: as [`getri`], of A itself.
pub fn inv<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    a: &[Matrix<T>],
    c: Option<&[Matrix<T>]>,
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let words = if c.is_some() { "n A lda C ldc info batch work" } else { "n A lda A lda info batch work" };
    let mut operands = vec![("A", a, c.is_none())];
    operands.extend(c.map(|c| ("C", c, true)));
    prepare(session, form, "inv", words, &[("n", a[0].rows() as i64)], &operands, place)
}

/// `?laswp` of rows k1 to k2: written is A.
pub fn laswp<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    [k1, k2, incx]: [i64; 3],
    a: &[Matrix<T>],
    ipiv: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let sizes = [("n", a[0].cols() as i64), ("k1", k1), ("k2", k2), ("incx", incx)];
    let operands = [("A", a, true), ("ipiv", ipiv, false)];
    prepare(session, form, "laswp", "n A lda k1 k2 ipiv incx batch", &sizes, &operands, place)
}

/// Interchanges that a call is to write.
fn unset<T: Scalar>(batch: usize, k: usize) -> Vec<Matrix<T>> {
    vec![Matrix::from_fn(k, 1, |_, _| T::POISON); batch]
}

/// Interchanges in memory: ints between red zones. They are seen as `f32`, which is as long; only bits are moved.
struct Interchanges {
    memory: Guarded<f32>,
    written: bool,
}

impl Interchanges {
    fn new<T: Scalar>(session: &Session, members: &[Matrix<T>], written: bool, place: &Placement) -> Result<Self> {
        let mut memory = Guarded::new(session.library(), members[0].rows(), 1, members.len(), &vectors(place))?;
        for (i, member) in members.iter().enumerate().filter(|_| !written) {
            let bits: Vec<f32> = integers(member).iter().map(|&x| f32::from_bits(x as u32)).collect();
            memory.set(i, &Matrix::from_fn(bits.len(), 1, |i, _| bits[i]));
        }
        Ok(Interchanges { memory, written })
    }
}

impl<T: Scalar> super::Integers<T> for Interchanges {
    fn upload(&self) -> Result<()> {
        self.memory.upload()
    }

    fn collect(&self) -> Result<Option<Vec<Matrix<T>>>> {
        let contents = self.memory.download()?;
        if !self.written {
            return if contents.is_untouched() {
                Ok(None)
            } else {
                Err(Error::Guard("ipiv, which is only read".into()))
            };
        }
        let member = |i| from_integers(contents.member(i).data().iter().map(|x| x.to_bits() as usize));
        Ok(Some((0..self.memory.batch()).map(member).collect()))
    }

    fn is_untouched(&self) -> Result<bool> {
        Ok(self.memory.download()?.is_untouched())
    }
}

/// What a word of an argument list stands for in a call.
#[derive(Clone, Copy)]
enum Argument {
    Number(u64),
    Info,
    Work,
    Bytes,
    /// The address of a scalar.
    Scalar(usize),
}

/// [`with_scalars`] of a routine that has none.
pub(super) fn prepare<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    name: &str,
    words: &'static str,
    sizes: &[(&'static str, i64)],
    operands: &[Operand<'_, T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    with_scalars(session, form, name, words, (sizes, &[]), operands, place)
}

/// A call of `tephra_?NAME_batched`, or its strided form: words are those of the former without what all end in. Beside the
/// sizes the numbers that stand for `alpha` and `beta`.
pub(super) fn with_scalars<'a, T: Scalar>(
    session: &'a Session,
    form: Form,
    name: &str,
    words: &'static str,
    (sizes, scalars): (&[(&'static str, i64)], &[T]),
    operands: &[Operand<'_, T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    let strided = match form {
        Form::Pointers => false,
        Form::Strided => true,
        other => return super::no_such_form(name, other),
    };
    let symbol = symbol_name(&format!("tephra_?{name}{}_batched", if strided { "_strided" } else { "" }), T::DTYPE);
    let (batch, mut matrices, mut ipiv) = (operands[0].1.len(), vec![], None);
    for (i, &(word, members, written)) in operands.iter().enumerate() {
        if word == "ipiv" {
            ipiv = Some(Interchanges::new(session, members, written, place)?);
        } else {
            let place = if i == 0 { place.clone() } else { beside(place, 0xb0 + i as u64) };
            let access = if written { Access::Written } else { Access::Read };
            matrices.push((word, (super::holding(session, members, &place)?, access)));
        }
    }
    let at = |pointers: *const *mut _, base: *mut std::ffi::c_void| if strided { base as u64 } else { pointers as u64 };
    let (mut call, mut query) = (vec![], vec![]);
    // A stride follows the leading dimension, or where there is none the operand.
    for word in words.split(' ') {
        let mut size = |value: i64| {
            call.push(Argument::Number(value as u64));
            query.push(value as u64);
        };
        if let Some((_, value)) = sizes.iter().find(|(name, _)| *name == word) {
            size(*value);
        } else if let Some((_, (m, _))) = matrices.iter().find(|(name, _)| *name == word) {
            call.push(Argument::Number(at(m.pointers(), m.base())));
        } else if let Some(of) = word.strip_prefix("ld").or(word.strip_prefix("inc")) {
            let (_, (m, _)) = matrices.iter().find(|(name, _)| name.eq_ignore_ascii_case(of)).expect("an operand");
            size(m.ld());
            if strided {
                size(m.stride());
            }
        } else {
            match word {
                "batch" => size(batch as i64),
                "info" => call.push(Argument::Info),
                "alpha" => call.push(Argument::Scalar(0)),
                "beta" => call.push(Argument::Scalar(1)),
                "work" => call.extend([Argument::Work, Argument::Bytes]),
                "ipiv" => {
                    let place = ipiv.as_ref().map_or(0, |p| at(p.memory.pointers(), p.memory.base()));
                    call.push(Argument::Number(place));
                    if strided {
                        let stride = ipiv.as_ref().map_or(0, |p| p.memory.stride());
                        call.push(Argument::Number(stride as u64));
                        query.push(stride as u64);
                    }
                }
                other => panic!("{other} stands for nothing"),
            }
        }
    }
    call.push(Argument::Number(session.stream() as u64));
    let mut bytes = 0usize;
    let lib = session.library();
    if words.ends_with("work") {
        bytes = usize::MAX;
        query.push(&raw mut bytes as u64);
        let symbol = format!("{symbol}_workspace");
        // SAFETY: the words are the prototype's.
        lib.status(&symbol, with_any_plan(|| unsafe { by_words(session, &symbol, &query) })?)?;
    }
    let (work, scalars) = (workspace(session, bytes)?, scalars.to_vec());
    let issue: super::Issue<'a, T> = Box::new(move |_, info| {
        let (work, bytes) = place_of(&work);
        let argument = |argument: &Argument| match *argument {
            Argument::Number(value) => value,
            Argument::Info => info as u64,
            Argument::Work => work as u64,
            Argument::Bytes => bytes as u64,
            Argument::Scalar(i) => &raw const scalars[i] as u64,
        };
        let arguments: Vec<u64> = call.iter().map(argument).collect();
        // SAFETY: the words are the prototype's; memory is allocated for the sizes given.
        lib.status(&symbol, unsafe { by_words(session, &symbol, &arguments)? })
    });
    let prepared = Prepared::new(session, batch, matrices.into_iter().map(|(_, m)| m).collect(), issue)?;
    match ipiv {
        Some(ipiv) => prepared.with_integers(ipiv),
        None => Ok(prepared),
    }
}

/// Calls a function of integers and pointers.
///
/// # Safety
/// The arguments are those of the function.
#[rustfmt::skip]
unsafe fn by_words(session: &Session, symbol: &str, arguments: &[u64]) -> Result<c_int> {
    /// Arguments beyond those that a function has do not matter to it.
    type Function = unsafe extern "C" fn(
        u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
    ) -> c_int;
    let mut a = [0; 18];
    a[..arguments.len()].copy_from_slice(arguments);
    unsafe {
        let f: Function = session.library().symbol(symbol)?;
        Ok(f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
             a[17]))
    }
}
