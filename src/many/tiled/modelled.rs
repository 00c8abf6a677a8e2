//! The scheduler under a model checker. It is compiled once more, with locks whose order of turns shuttle chooses: at
//! random, with few and well-placed changes of threads (PCT), or one after another until none is left. A lost wake-up
//! is a deadlock there, which shuttle reports.

#[allow(clippy::duplicate_mod)]
#[path = "execute.rs"]
mod execute;
mod primitives {
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
}

use super::execute_tests::{Aggregated, Random, aggregated, memory, random, run, values};
use super::graph;
use execute::{Execution, Stop};
use shuttle::thread::{scope, yield_now};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One execution of random tasks by `threads` threads and two devices, in the order of turns that shuttle chooses.
/// What they compute must be what the sequence computes.
fn once(seed: u64, threads: usize, ahead: usize) {
    let mut source = Random(seed);
    let (tasks, _, resources) = random(&mut source, 9);
    let (expected, found) = (memory(resources), memory(resources));
    tasks.iter().enumerate().for_each(|(i, task)| run(task, i, &expected, || ()));
    let Aggregated { graph, of, external } = aggregated(&mut source, &tasks);
    let all_of = |task: usize| of[task].clone().for_each(|i| run(&tasks[i], i, &found, yield_now));
    let execution = Execution::<()>::new(&graph, ahead).unwrap();
    let inside = |task: usize| {
        yield_now();
        all_of(task);
        Ok(())
    };
    scope(|scope| {
        for device in 0..2 {
            let (execution, external, all_of, inside) = (&execution, &external, &all_of, &inside);
            scope.spawn(move || {
                for &task in external.iter().skip(device).step_by(2) {
                    assert!(execution.work_until_ready(task, inside));
                    all_of(task);
                    execution.complete_external(task);
                }
            });
        }
        for _ in 0..threads {
            scope.spawn(|| execution.work(inside, |_| true));
        }
    });
    assert_eq!(execution.finish(), Ok(()));
    assert_eq!(values(&found), values(&expected), "seed {seed}, {threads} threads, {ahead} ahead");
}

/// The threads and the look-ahead of a round.
fn of_round(round: u64) -> (usize, usize) {
    ([1, 2, 3][round as usize % 3], [0, 1, usize::MAX][round as usize / 3 % 3])
}

#[test]
fn any_interleaving_gives_what_the_sequence_gives() {
    for round in 0..90 {
        let (threads, ahead) = of_round(round);
        shuttle::check_random(move || once(round, threads, ahead), 150);
        shuttle::check_pct(move || once(round, threads, ahead), 50, 3);
    }
}

/// Two tasks and what a device does between them, on one thread and the device's: all 16,000 interleavings.
#[test]
fn all_interleavings_of_a_small_graph() {
    let explore = || {
        let mut graph = graph::Graph::default();
        graph.add(0, 0, &[], &[0]).unwrap();
        let external = graph.add_external(0, &[0], &[1]).unwrap();
        graph.add(1, 0, &[1], &[]).unwrap();
        let (execution, order) = (Execution::<()>::new(&graph, 0).unwrap(), AtomicUsize::new(0));
        let next = |task: usize| {
            assert_eq!(order.fetch_add(1, Ordering::Relaxed), task);
            Ok(())
        };
        scope(|scope| {
            scope.spawn(|| {
                assert!(execution.work_until_ready(external, next));
                next(external).unwrap();
                execution.complete_external(external);
            });
            execution.work(next, |_| true);
        });
        assert_eq!((execution.finish(), order.into_inner()), (Ok(()), 3));
    };
    shuttle::check_dfs(explore, None);
}

/// Whoever fails or cancels, and whenever a device gives up, nobody waits for what will not come.
#[test]
fn a_stop_reaches_everyone() {
    let explore = |round: u64| {
        let mut graph = graph::Graph::default();
        graph.add(0, 0, &[], &[0]).unwrap();
        graph.add(0, 0, &[], &[1]).unwrap();
        let external = graph.add_external(0, &[0], &[2]).unwrap();
        graph.add(1, 0, &[1, 2], &[]).unwrap();
        let execution = Execution::new(&graph, 0).unwrap();
        let work = |task: usize| if round == 0 && task == 1 { Err("failed") } else { Ok(()) };
        let go_on = |done: usize| round != 1 || done != 2;
        scope(|scope| {
            scope.spawn(|| match execution.work_until_ready(external, work) {
                true if round == 2 => execution.stop_external(),
                true => execution.complete_external(external),
                false => assert!(execution.is_stopped()),
            });
            scope.spawn(|| execution.work(work, go_on));
            execution.work(work, go_on);
        });
        execution.finish()
    };
    for round in 0..3 {
        let check = move || match (round, explore(round)) {
            (0, found) => assert_eq!(found, Err(Stop::Failed("failed"))),
            // The second task that is finished may be the device's, which does not report progress.
            (1, found) => assert!(matches!(found, Ok(()) | Err(Stop::Cancelled))),
            (_, found) => assert_eq!(found, Err(Stop::Cancelled)),
        };
        shuttle::check_random(check, 4000);
        shuttle::check_pct(check, 1000, 3);
    }
}
