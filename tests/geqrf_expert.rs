//! MAGMA's expert form: the factorisation, and the R, T and V that it provides for each value of `provide_RT`.

use std::ffi::c_int;
use std::ptr::null;
use tephra_testkit::guarded::{Guarded, Placement};
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::sweep::without_forced_plan;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

const BATCH: usize = 3;

/// The results of one call.
struct Outputs<T> {
    a: Vec<Factored<T>>,
    r: Vec<Matrix<T>>,
    t: Vec<Matrix<T>>,
    wrote_r_or_t: bool,
}

/// `?larft`, forward and columnwise, for the reflectors in columns `from..from + width` of the factors.
fn larft<T: Scalar>(f: &Factored<T>, from: usize, width: usize) -> Matrix<T::Double> {
    let m = f.factors.rows();
    let v = |row: usize, j: usize| match row.cmp(&(from + j)) {
        std::cmp::Ordering::Less => T::Double::ZERO,
        std::cmp::Ordering::Equal => T::Double::ONE,
        std::cmp::Ordering::Greater => f.factors[(row, from + j)].to_double(),
    };
    let mut t = Matrix::<T::Double>::zeros(width, width);
    for j in 0..width {
        let tau = f.tau[from + j].to_double();
        t[(j, j)] = tau;
        // T(0..j, j) = -tau T(0..j, 0..j) (V(:, 0..j)^H v_j)
        let mut dots = vec![T::Double::ZERO; j];
        for (i, dot) in dots.iter_mut().enumerate() {
            for row in 0..m {
                *dot += v(row, i).conj() * v(row, j);
            }
        }
        for i in 0..j {
            let mut sum = T::Double::ZERO;
            for (l, &dot) in dots.iter().enumerate().skip(i) {
                sum += t[(i, l)] * dot;
            }
            t[(i, j)] = -(tau * sum);
        }
    }
    t
}

fn call<T: Scalar>(session: &Session, inputs: &[Matrix<T>], nb: usize, provide: c_int) -> Result<Outputs<T>> {
    let lib = session.library();
    let (m, n) = (inputs[0].rows(), inputs[0].cols());
    let k = m.min(n);
    let place = Placement::shuffled(2);
    let batch = QrBatch::of(lib, inputs, &place)?;
    let (r_rows, r_cols) = if provide == 1 { (k, n) } else { (nb.min(k), k) };
    let r = Guarded::<T>::new(lib, r_rows, r_cols, BATCH, &place)?;
    let t = Guarded::<T>::new(lib, nb.min(k), k, BATCH, &place)?;
    let info = Memory::new(lib, Kind::Device, BATCH * size_of::<c_int>())?;
    r.upload()?;
    t.upload()?;
    info.write(&[-77 as c_int; BATCH])?;
    let (a, tau) = (batch.matrices(), batch.taus());
    let dims = [m, n, nb].map(|x| x as c_int);
    let queue = session.queue()?.raw();
    // SAFETY: everything is allocated for these sizes, and the library does not use W.
    let code = without_forced_plan(|| unsafe {
        lib.magma_geqrf_expert(T::DTYPE)(
            dims[0],
            dims[1],
            dims[2],
            a.pointers(),
            a.ld() as c_int,
            r.pointers(),
            r.ld() as c_int,
            t.pointers(),
            t.ld() as c_int,
            tau.pointers(),
            provide,
            null(),
            info.pointer().cast(),
            BATCH as c_int,
            queue,
        )
    });
    assert_eq!(code, 0);
    session.synchronize()?;
    let mut codes = [-1 as c_int; BATCH];
    info.read(&mut codes)?;
    assert_eq!(codes, [0; BATCH]);
    let (a, tau, r, t) = (a.download()?, tau.download()?, r.download()?, t.download()?);
    Ok(Outputs {
        a: (0..BATCH).map(|i| Factored { factors: a.member(i), tau: tau.member(i).data().to_vec() }).collect(),
        wrote_r_or_t: !(r.is_untouched() && t.is_untouched()),
        r: (0..BATCH).map(|i| r.member(i)).collect(),
        t: (0..BATCH).map(|i| t.member(i)).collect(),
    })
}

fn check<T: Scalar>(what: &str, nb: usize, provide: c_int, plain: &[Factored<T>], out: &Outputs<T>) {
    let (m, n) = (plain[0].factors.rows(), plain[0].factors.cols());
    let k = m.min(n);
    let (zero, one) = (T::from_double(T::Double::ZERO), T::from_double(T::Double::ONE));
    if provide == 0 {
        assert!(out.a.iter().zip(plain).all(|(x, y)| x.same_bits(y)), "{what}: not the plain form's bits");
        assert!(!out.wrote_r_or_t, "{what}: R or T written");
        return;
    }
    for (i, f) in plain.iter().enumerate() {
        // V with explicit ones and zeros in the diagonal blocks, R above the blocks.
        let block = |j: usize| j / nb;
        let explicit = Matrix::from_fn(m, n, |row, j| {
            let in_block = j < k && row <= j && row < k && block(row) == block(j);
            if !in_block {
                f.factors[(row, j)]
            } else if row == j {
                one
            } else {
                zero
            }
        });
        assert!(same_bits(out.a[i].factors.data(), explicit.data()), "{what}: A of matrix {i}");
        assert!(same_bits(&out.a[i].tau, &f.tau), "{what}: tau of matrix {i}");

        for from in (0..k).step_by(nb) {
            let width = nb.min(k - from);
            let t = larft(f, from, width);
            let bound = 20.0 * m as f64 * T::DTYPE.eps();
            for j in 0..width {
                for row in 0..width {
                    let got = out.t[i][(row, from + j)];
                    let place =
                        format!("{what}: T({row},{j}) of panel at {from}, matrix {i}: {got:?}, {:?}", t[(row, j)]);
                    if row > j {
                        assert!(same_bits(&[got], &[zero]), "{place}");
                    } else {
                        assert!((got.to_double() - t[(row, j)]).abs() <= bound * (1.0 + t[(row, j)].abs()), "{place}");
                    }
                    if provide == 2 {
                        let expected = if row <= j { f.factors[(from + row, from + j)] } else { zero };
                        assert!(same_bits(&[out.r[i][(row, from + j)]], &[expected]), "{what}: R block at {from}");
                    }
                }
            }
        }
        if provide == 1 {
            let upper = Matrix::from_fn(k, n, |row, j| if row <= j { f.factors[(row, j)] } else { zero });
            assert!(same_bits(out.r[i].data(), upper.data()), "{what}: R of matrix {i}");
        }
    }
}

#[test]
fn r_t_and_v_belong_to_the_factorisation() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        for (m, n) in [(1, 1), (5, 3), (3, 5), (33, 33), (20, 50), (70, 66), (200, 9)] {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new((m + n) as u64);
                let inputs: Vec<Matrix<T>> = (0..BATCH).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect();
                let plain = QrBatch::of(lib, &inputs, &Placement::shuffled(2))?.run(&session, EntryForm::MagmaWork)?;
                let own = lib.magma_geqrf_nb(dtype, m as c_int) as usize;
                for nb in [own, 1, 4, 7] {
                    for provide in [0, 1, 2] {
                        let what = format!("{} {m}x{n} nb {nb} provide_RT {provide}", dtype.letter());
                        check(&what, nb, provide, &plain, &call(&session, &inputs, nb, provide)?);
                    }
                }
            });
        }
    }
    Ok(())
}
