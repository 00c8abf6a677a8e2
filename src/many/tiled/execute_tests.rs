//! Random graphs, compared with sequential execution of the same tasks.

use super::execute::{Execution, Stop};
use super::graph::Graph;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A pseudorandom number generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

pub struct Task {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

/// What a task writes depends on everything it reads and overwrites, in an order that matters. Between the elements
/// that it writes, some tasks call `pause`.
pub fn run(task: &Task, number: usize, memory: &[AtomicU64], pause: impl Fn()) {
    let read =
        |sum: u64, at: &usize| sum.rotate_left(7) ^ memory[*at].load(Ordering::Relaxed).wrapping_mul(0x9e37_79b9);
    let sum = task.reads.iter().chain(&task.writes).fold(number as u64, read);
    for (i, at) in task.writes.iter().enumerate() {
        if number.is_multiple_of(5) {
            pause();
        }
        memory[*at].store(sum.wrapping_add(i as u64), Ordering::Relaxed);
    }
}

/// Up to `most` - 1 random tasks, the graph of their hazards, and the number of resources.
pub fn random(random: &mut Random, most: usize) -> (Vec<Task>, Graph, usize) {
    let resources = 1 + random.below(12);
    let (mut graph, mut tasks, mut step) = (Graph::default(), Vec::new(), 0);
    for _ in 0..random.below(most) {
        let mut some = |most| (0..random.below(most)).map(|_| random.below(resources)).collect::<Vec<_>>();
        let (mut reads, mut writes) = (some(4), some(3));
        writes.sort_unstable();
        writes.dedup();
        // A resource that is read and written is only in `writes` for half of the tasks, and in both lists for the
        // others.
        if random.below(2) == 0 {
            reads.retain(|at| !writes.contains(at));
        }
        step += random.below(5) as u32 / 3;
        graph.add(step, random.below(7) as i32, &reads, &writes).unwrap();
        tasks.push(Task { reads, writes });
    }
    (tasks, graph, resources)
}

/// A graph in which some tasks stand for several of the sequence's, with the hazards of all of them, and some are
/// external.
pub struct Aggregated {
    pub graph: Graph,
    /// The range of the sequence that each task stands for.
    pub of: Vec<std::ops::Range<usize>>,
    pub external: Vec<usize>,
}

pub fn aggregated(random: &mut Random, tasks: &[Task]) -> Aggregated {
    let (mut graph, mut of, mut external, mut next) = (Graph::default(), vec![], vec![], 0);
    while next < tasks.len() {
        let range = next..tasks.len().min(next + 1 + random.below(4) / 2 * random.below(6));
        let those = &tasks[range.clone()];
        let of_all = |of: fn(&Task) -> &Vec<usize>| those.iter().flat_map(of).copied().collect::<Vec<_>>();
        let (reads, mut writes) = (of_all(|task| &task.reads), of_all(|task| &task.writes));
        writes.sort_unstable();
        writes.dedup();
        if random.below(3) > 0 {
            graph.add(next as u32 / 7, random.below(3) as i32, &reads, &writes).unwrap();
        } else {
            external.push(graph.add_external(next as u32 / 7, &reads, &writes).unwrap());
        }
        next = range.end;
        of.push(range);
    }
    Aggregated { graph, of, external }
}

#[test]
fn what_is_done_elsewhere_has_the_hazards_of_all_that_it_stands_for() {
    let mut source = Random(2);
    for round in 0..600 {
        let (tasks, _, resources) = random(&mut source, 60);
        let (expected, found) = (memory(resources), memory(resources));
        tasks.iter().enumerate().for_each(|(i, task)| run(task, i, &expected, std::thread::yield_now));
        let Aggregated { graph, of, external } = aggregated(&mut source, &tasks);
        let all_of = |task: usize| of[task].clone().for_each(|i| run(&tasks[i], i, &found, std::thread::yield_now));
        let (threads, ahead) = ([1, 2, 4][round % 3], [0, 1, usize::MAX][round % 5 % 3]);
        let execution = Execution::<()>::new(&graph, ahead).unwrap();
        let inside = |task: usize| {
            assert!(!external.contains(&task), "a task that is another's");
            all_of(task);
            Ok(())
        };
        std::thread::scope(|scope| {
            // Two devices, each of which runs every other external task, in order.
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
            by_threads(threads, &execution, inside, |_| true);
        });
        assert_eq!(execution.finish(), Ok(()));
        assert_eq!(values(&found), values(&expected), "round {round}");
    }
}

#[test]
fn those_outside_hear_of_a_stop_and_can_stop() {
    let mut graph = Graph::default();
    graph.add(0, 0, &[], &[0]).unwrap();
    let external = graph.add_external(0, &[], &[0]).unwrap();
    graph.add(0, 0, &[0], &[]).unwrap();
    let execution = Execution::new(&graph, 0).unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| execution.work_until_ready(external, |_| Err("failed")));
        execution.work(|_| Err("failed"), |_| true);
        assert!(!waits.join().unwrap() && execution.is_stopped());
    });
    assert_eq!(execution.finish(), Err(Stop::Failed("failed")));
    let execution = Execution::<()>::new(&graph, 0).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert!(execution.work_until_ready(external, |_| Ok(())));
            execution.stop_external();
        });
        execution.work(|_| Ok(()), |_| true);
    });
    assert_eq!(execution.finish(), Err(Stop::Cancelled));
    // If an external task is reported before its inputs are finished, it counts as finished once they are.
    let execution = Execution::<()>::new(&graph, 0).unwrap();
    execution.complete_external(external);
    execution.work(|_| Ok(()), |_| true);
    assert_eq!(execution.finish(), Ok(()));
}

pub fn memory(resources: usize) -> Vec<AtomicU64> {
    (0..resources as u64).map(AtomicU64::new).collect()
}

pub fn values(of: &[AtomicU64]) -> Vec<u64> {
    of.iter().map(|x| x.load(Ordering::Relaxed)).collect()
}

/// Runs an execution on this many threads.
fn by_threads<E: Send>(
    threads: usize,
    execution: &Execution<E>,
    run: impl Fn(usize) -> Result<(), E> + Sync,
    go_on: impl Fn(usize) -> bool + Sync,
) {
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| {
            scope.spawn(|| execution.work(&run, &go_on));
        });
        execution.work(&run, &go_on);
    });
}

#[test]
fn random_graphs_give_what_the_sequence_gives() {
    let mut source = Random(1);
    for round in 0..3000 {
        let (tasks, graph, resources) = random(&mut source, 60);
        let expected = memory(resources);
        tasks.iter().enumerate().for_each(|(i, task)| run(task, i, &expected, std::thread::yield_now));
        for (threads, ahead) in [(1, usize::MAX), (2, 0), (2, usize::MAX), (3, 1), (7, 2)] {
            if threads > 2 && round % 4 > 0 {
                continue;
            }
            let (found, times) = (memory(resources), tasks.iter().map(|_| AtomicUsize::new(0)).collect::<Vec<_>>());
            let execution = Execution::<()>::new(&graph, ahead).unwrap();
            let once = |i: usize| {
                times[i].fetch_add(1, Ordering::Relaxed);
                run(&tasks[i], i, &found, std::thread::yield_now);
                Ok(())
            };
            by_threads(threads, &execution, once, |_| true);
            assert_eq!(execution.finish(), Ok(()));
            assert!(times.iter().all(|n| n.load(Ordering::Relaxed) == 1), "round {round}: each task once");
            assert_eq!(values(&found), values(&expected), "round {round}, {threads} threads, {ahead} ahead");
        }
    }
}

#[test]
fn priorities_come_first_and_look_ahead_is_kept() {
    let mut graph = Graph::default();
    for step in 0..4 {
        for priority in [1, 3, 2] {
            graph.add(step, priority + 10 * step as i32, &[], &[]).unwrap();
        }
    }
    let order = |ahead| {
        let (order, execution) = (Mutex::new(Vec::new()), Execution::<()>::new(&graph, ahead).unwrap());
        let note = |task| {
            order.lock().unwrap().push(task);
            Ok(())
        };
        execution.work(note, |_| true);
        order.into_inner().unwrap()
    };
    assert_eq!(order(usize::MAX), [10, 11, 9, 7, 8, 6, 4, 5, 3, 1, 2, 0]);
    assert_eq!(order(0), [1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11, 9]);
    assert_eq!(order(1), [4, 5, 3, 1, 2, 0, 10, 11, 9, 7, 8, 6]);
}

#[test]
fn a_failure_a_panic_and_a_cancellation_stop_the_others() {
    let mut graph = Graph::default();
    (0..100).for_each(|_| {
        graph.add(0, 0, &[], &[0]).unwrap();
    });
    for threads in [1, 4] {
        let count = AtomicUsize::new(0);
        let count_until = |last: usize| {
            let count = &count;
            count.store(0, Ordering::Relaxed);
            move |task: usize| {
                count.fetch_add(1, Ordering::Relaxed);
                if task == last { Err(task) } else { Ok(()) }
            }
        };
        let execution = Execution::new(&graph, 0).unwrap();
        by_threads(threads, &execution, count_until(30), |_| true);
        assert_eq!((execution.finish(), count.load(Ordering::Relaxed)), (Err(Stop::Failed(30)), 31));

        let execution = Execution::new(&graph, 0).unwrap();
        by_threads(threads, &execution, count_until(1000), |done| done != 20);
        assert_eq!(execution.finish(), Err(Stop::Cancelled));
        assert!((20..25).contains(&count.load(Ordering::Relaxed)));

        let execution = Execution::<()>::new(&graph, 0).unwrap();
        by_threads(threads, &execution, |task| if task == 7 { panic!("task 7") } else { Ok(()) }, |_| true);
        let panic = catch_unwind(AssertUnwindSafe(|| execution.finish())).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"task 7"));
    }
}

#[test]
fn nothing_to_do_is_done_at_once() {
    let graph = Graph::default();
    let execution = Execution::<()>::new(&graph, 3).unwrap();
    by_threads(3, &execution, |_| panic!("there is no task"), |_| true);
    assert_eq!(execution.finish(), Ok(()));
}
