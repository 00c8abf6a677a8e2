//! Every order that the hazards permit gives bitwise the same results as the sequence.

use super::*;
use tephra_core::host::output::write_error_line;

/// Pseudorandom numbers in (-1, 1).
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn matrix(m: usize, n: usize) -> Vec<f64> {
    let mut seed = 5;
    (0..m * n).map(|_| random(&mut seed)).collect()
}

/// Sets the priorities of a round: sequential order in the first, then random ones.
fn prioritise(graph: &mut Graph, round: u64) {
    let mut seed = round;
    graph.prioritise(|task| if round == 0 { -(task as i32) } else { (random(&mut seed) * 1e9) as i32 });
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn any_order_factors_and_applies() {
    for (m, n) in [(80, 55), (55, 80), (90, 10)] {
        let tiles = Tiles { m, n, nb: 16, ib: 6, stacked: false };
        let mut expected = Vec::new();
        for round in 0..60 {
            let (mut a, mut t) = (matrix(m, n), vec![0.0; tiles.size().unwrap() as usize]);
            let mut sequence = factorisation(&tiles).unwrap();
            prioritise(&mut sequence.1, round);
            let part = MatrixView { p: a.as_mut_ptr(), ld: m };
            assert!(unsafe { factor_by(&sequence, &tiles, part, t.as_mut_ptr(), usize::MAX, &|_, _| true) }.is_ok());
            let mut found = vec![bits(&a), bits(&t)];
            for (form, unit) in [(Form::Plain, false), (Form::Adjoint, false), (Form::Plain, true)] {
                // More columns than a single task takes.
                let columns = WIDTH + 9;
                let (mut c, reflectors) = (matrix(m, columns), Tiles { n: m.min(n), ..tiles });
                let mut sequence = application(&reflectors, form, columns, unit).unwrap();
                prioritise(&mut sequence.1, round);
                let c_part = (columns, MatrixView { p: c.as_mut_ptr(), ld: m });
                assert!(unsafe { apply_by(&sequence, &reflectors, form, part, t.as_mut_ptr(), c_part) }.is_ok());
                found.push(bits(&c));
            }
            if round == 0 {
                expected = found;
            } else {
                assert!(found == expected, "{m} x {n}, round {round}");
            }
        }
    }
}

/// Whether a sequence and its execution fit into this many further KiB of address space, in a child process, whose
/// tasks then run without any more. The child must not end in any other way than by success or a refusal.
#[cfg(target_os = "linux")]
fn done_within(kibibytes: usize, sequence: impl Fn() -> Result<(Vec<Task>, Graph), Error>) -> bool {
    let pages: usize = std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').next().unwrap().parse().unwrap();
    let now = pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let limit = |bytes: usize| {
        let (rlim_cur, rlim_max) = (bytes as libc::rlim_t, libc::RLIM_INFINITY);
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &libc::rlimit { rlim_cur, rlim_max }) };
    };
    let run = || -> Result<(), Stop<Error>> {
        let (_, graph) = sequence()?;
        let execution = Execution::new(&graph, usize::MAX)?;
        limit(0);
        execution.work(|_| Ok(()), |_| true);
        execution.finish()
    };
    // SAFETY: the child only runs this library and leaves through _exit.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(60);
            // The allocator has address space in reserve, which is used up first, except what an error's text needs.
            let little = libc::malloc(64 << 10);
            limit(now);
            while !std::hint::black_box(libc::malloc(64 << 10)).is_null() {}
            libc::free(little);
            limit(now + (kibibytes << 10));
            libc::_exit(match run() {
                Ok(()) => 0,
                Err(Stop::Failed(Error::OutOfMemory(_))) => 1,
                Err(_) => 2,
            });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        let told = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) < 2;
        assert!(told, "within {kibibytes} KiB: a child ended with {status:#x}");
        libc::WEXITSTATUS(status) == 0
    }
}

/// Many tasks on small tiles: wherever memory runs out, the call returns an error and the process survives.
#[cfg(target_os = "linux")]
#[test]
fn a_graph_without_memory_is_refused() {
    let tiles = Tiles { m: 400, n: 400, nb: 8, ib: 8, stacked: false };
    // About 40 000 tasks of 100 bytes each.
    let factor = || factorisation(&tiles);
    let apply = || application(&tiles, Form::Adjoint, 30 * WIDTH, false);
    let form_q = || application(&tiles, Form::Plain, 30 * WIDTH, true);
    for sequence in [&factor as &dyn Fn() -> _, &apply, &form_q] {
        let refused = (1..25).filter(|i| !done_within(256 * i, sequence)).count();
        assert!(refused > 5 && done_within(100 << 10, sequence), "{refused} of 24 were refused");
    }
}

/// Prints what scheduling costs: the time per task of a factorisation whose tasks do nothing, with making the graph.
#[test]
#[ignore = "prints times"]
fn time_per_task() {
    for p in [8, 16, 32, 64] {
        let tiles = Tiles { m: 16 * p, n: 16 * p, nb: 16, ib: 8, stacked: false };
        for threads in [1, 2] {
            let round = |_| {
                let start = std::time::Instant::now();
                let (tasks, graph) = factorisation(&tiles).unwrap();
                let execution = Execution::<Error>::new(&graph, usize::MAX).unwrap();
                with_helpers(
                    threads - 1,
                    |_| execution.work(|_| Ok(()), |_| true),
                    || execution.work(|_| Ok(()), |_| true),
                );
                assert!(execution.finish().is_ok());
                start.elapsed().as_secs_f64() * 1e6 / tasks.len() as f64
            };
            let best = (0..20).map(round).fold(f64::INFINITY, f64::min);
            write_error_line(format_args!("{p} x {p} tiles, {threads} threads: {best:.2} us per task"));
        }
    }
}
