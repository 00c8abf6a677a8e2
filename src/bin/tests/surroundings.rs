//! Tests the program when standard output cannot be written, and with invalid values of environment variables.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn program() -> Command {
    let built = PathBuf::from(env!("CARGO_BIN_EXE_tephra"));
    let path = if built.exists() { built } else { std::env::current_exe().unwrap().with_file_name("../bin/tephra") };
    let mut command = Command::new(path);
    command.env("TEPHRA_BACKEND", "cpu").env_remove("TEPHRA_LAPACK").env_remove("TEPHRA_PLAN");
    command
}

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let bench = "bench --op geqrf --dtype d --m 8 --n 8 --batch 10 --budget 0 --out -";
    for line in ["info", "explain --dtype d --m 8 --n 8 --batch 10", "--help", bench] {
        let output = program().args(line.split(' ')).stdout(full()).output().unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {text}");
        assert!(text.contains("No space left on device") && !text.contains("panicked"), "{line}: {text}");
    }
}

#[test]
fn messages_that_cannot_be_written_are_dropped() {
    let output = program().args(["--library", "/nonexistent/libtephra.so", "info"]).stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output = program().env("TEPHRA_NUM_THREADS", "many").arg("info").stderr(full()).output().unwrap();
    assert!(output.status.success());
}

/// A closed pipe terminates the program as it does others, even if the caller ignores SIGPIPE, as Python does.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut command = program();
    command.arg("info").stdout(Stdio::piped()).stderr(Stdio::piped());
    // SAFETY: signal() is safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            // Make standard output a pipe without a reader.
            let mut ends = [0; 2];
            libc::pipe(ends.as_mut_ptr());
            libc::close(ends[0]);
            libc::dup2(ends[1], 1);
            Ok(())
        });
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGPIPE), "{:?}: {}", output.status, stderr(&output));
    assert_eq!(stderr(&output), "");
}

/// Each variable is reported by exactly one line, however many calls follow.
#[test]
fn variables_that_cannot_be_meant_are_named_once() {
    let garbage = [
        ("TEPHRA_NUM_THREADS", "20000", "is more than this machine can use: using "),
        ("TEPHRA_SIMD", "sse9", "valid: baseline, avx2, avx512"),
        ("TEPHRA_MATH", "quick", "valid: fp32, tf32, fp32_tensor, fp16"),
        ("TEPHRA_VERBOSE", "perhaps", "valid: 0, 1"),
        ("TEPHRA_BATCH_INVARIANT", "maybe", "valid: 0, 1"),
        ("TEPHRA_BACKENT", "cuda", "is not a known variable; did you mean TEPHRA_BACKEND?"),
    ];
    let start = Instant::now();
    let mut command = program();
    command
        .args("bench --op geqrf --dtype d --m 16 --n 16 --batch 3000 --out -".split(' '))
        .envs(garbage.map(|(n, v, _)| (n, v)));
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    for (name, value, words) in garbage {
        let lines: Vec<_> = text.lines().filter(|l| l.contains(name) && l.contains(words)).collect();
        assert_eq!(lines.len(), 1, "{name}={value}: {text}");
    }
    assert!(start.elapsed() < Duration::from_secs(120), "20000 threads were not bounded");
    let clean = program().env("TEPHRA_NUM_THREADS", "2").arg("info").output().unwrap();
    assert!(clean.status.success() && stderr(&clean).is_empty(), "{}", stderr(&clean));
    let unknown = program().env("TEPHRA_BACKEND", "gpu").arg("info").output().unwrap();
    assert!(stderr(&unknown).contains("TEPHRA_BACKEND=gpu is invalid (valid: auto, cuda, cpu)"));
}
