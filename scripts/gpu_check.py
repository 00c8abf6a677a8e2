#!/usr/bin/env python3
"""Checks the CUDA backend on this machine's GPU from a bundle (scripts/gpu_bundle.py), and writes the report that `make
test` compares with the tree (scripts/check_gpu_report.py). Needs python3, the driver, and for some of the stages
compute-sanitizer, PyTorch and CuPy, but no compiler. A stage that cannot run counts as failed, because the report
covers all stages.

With --changed, only what the report (--base, else the committed one) does not cover is checked: what failed in it, the
tests of routines whose kernels or launches have changed, and the tests of no routine in particular. The report lists
such runs under "since".
"""
import argparse
import ctypes
import datetime
import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gpu_state import ROOT, digest, kernels, launches, routine, sharing, stale, tests, tests_of

REPORT = ROOT / "results/h200/gpu-report.json"


class Stage:
    """One entry of the report: what was run, and how much of it passed."""

    def __init__(self, name):
        self.name, self.passed, self.failed, self.notes, self.start = name, 0, 0, [], time.monotonic()
        self.kept = {}  # results of finished parts, which a resumed run does not repeat
        self.keep = self.kept.__setitem__
        self.folder = Path(tempfile.gettempdir())  # for logs that show the progress
        self.devices = 1  # on which it may run its programs

    def fail(self, note):
        self.failed += 1
        self.notes.append(note)
        print(f"  FAILED: {note}", flush=True)

    def entry(self):
        entry = {"name": self.name, "passed": self.passed, "failed": self.failed,
                 "seconds": round(time.monotonic() - self.start, 1)}
        if self.notes:
            entry["notes"] = self.notes
        return entry


def run(command, env, timeout=600):
    """(status, output) of a command. The status is 127 if it cannot be started, and 124 if it times out."""
    print(f"  $ {' '.join(map(str, command))}", flush=True)
    try:
        done = subprocess.run(list(map(str, command)), env=env, timeout=timeout, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", cwd=ROOT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
        return 124, output.decode(errors="replace") if isinstance(output, bytes) else output
    except OSError as error:
        return 127, str(error)


def tail(text, lines=15):
    return "\n".join(text.splitlines()[-lines:])


# Programs that check how much memory the device has left, which any other process would change,
ALONE = {"geqrf_memory", "warm_plans", "gpu_only"}
# and one whose devices wait for each other, which takes very long if another process uses one of them.
ON_ALL_DEVICES = {"many"}


def rust_tests(chosen, programs=None):
    """The stage for the Rust tests of these programs, run one by one, or of all programs except those above; `chosen`
    selects tests."""
    def check(stage, bundle, env):
        def one(program):
            if program.name in stage.kept:
                return 0, stage.kept[program.name]
            named = tests_of(program.name, program).items()
            names = [test for name, test in named if chosen is None or chosen(name, program.name)]
            if not names and chosen is not None:
                return None
            # A program that hangs must not use up the time of the others.
            status, output = run([program, "--test-threads", "6", *(["--exact", *names] if chosen else [])], env, 400)
            if status == 0:
                stage.keep(program.name, tail(output))
            return status, output

        def tell(program, result):
            if result is None:
                return
            status, output = result
            counts = re.findall(r"test result: \w+\. (\d+) passed; (\d+) failed", output)
            stage.passed += sum(int(p) for p, _ in counts)
            if status != 0 or not counts:
                failed = re.findall(r"^test (.*) \.\.\. FAILED", output, re.M)
                stage.fail(f"{program.name}: status {status}, {', '.join(failed) or 'no result'}")
                print(tail(output, 60), flush=True)

        everything = sorted((bundle / "tests").iterdir())
        found = [p for p in everything if (p.name in programs if programs else p.name not in ALONE | ON_ALL_DEVICES)]
        # They spend most of their time on the host, computing references.
        with ThreadPoolExecutor(1 if programs else 3) as pool:
            for program, result in zip(found, pool.map(one, found)):
                tell(program, result)
    return check


def programs(stage, bundle, env):
    for program in sorted((bundle / "programs").iterdir()):
        drawing = bundle / "intervals.svg"
        arguments = [ROOT / "demo/diabetes.csv", drawing] if program.name == "bootstrap" else []
        status, output = run([program, *arguments], env)
        print(tail(output))
        if status == 0:
            stage.passed += 1
        else:
            stage.fail(f"{program.name}: status {status}")


def self_check(stage, bundle, env):
    status, output = run([bundle / "bin/tephra", "check"], env)
    print(tail(output))
    if status == 0:
        stage.passed += 1
    else:
        stage.fail(f"tephra check: status {status}")


def compute_sanitizer():
    homes = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    found = [shutil.which("compute-sanitizer")] + [os.path.join(h, "bin/compute-sanitizer") for h in homes if h]
    return next((f for f in found if f and os.access(f, os.X_OK)), None)


# Rows of `tephra check` that run under the sanitizers, those that take longest first.
CHECKED = [["geqp3"], ["gelsy"], ["getrf", "getrf_nopiv", "getrs", "gesv", "gesv_rbt"], ["getri", "inv", "lu_to_permutation"],
           ["potrf", "potrs", "posv", "potri"], ["gemm", "gemv", "syrk", "trmm", "trsv", "trtri", "geam"],
           ["getri_vbatched", "potri_vbatched", "trmm_vbatched"]]


# Tests of vbatched routines that run under the sanitizers: batches in which some members are invalid or not finite.
MEMBERS = ["lu::a_bad_matrix_is_alone", "small_pivots::bad_matrices_are_alone", "cholesky::a_bad_matrix_is_alone", "qr::a_bad_matrix_is_alone",
           "q::what_is_not_valid_is_left_alone", "blas::products_that_are_not_valid_are_left_alone",
           "blas::products_with_vectors_that_are_not_valid_are_left_alone",
           "blas::systems_that_are_not_valid_are_left_alone", "solves::what_is_not_valid_is_left_alone", "solves::a_singular_matrix_is_alone",
           "products::updates_that_are_not_valid_are_left_alone"]


def sanitizer(tool, affected, changed=None, failed_before=""):
    """The stage for a tool of compute-sanitizer. `changed` is {kernel: routines} when only changes are checked;
    `failed_before` holds the notes of this stage in the report."""
    # Races occur between the threads of one kernel, so unchanged kernels need not be checked again.
    only = [word for kernel in sorted(changed or ()) for word in ("--kernel-name", f"kernel_name={kernel}")]

    def launched(letter, names):
        """Whether these routines launch a changed kernel of this precision, or one for all precisions."""
        return changed is None or any(names & {*routines} and re.search(rf"_{letter}(_|$)|^(?!.*_[sdcz](_|$))", kernel)
                                      for kernel, routines in changed.items())

    def key_of(case):
        command, settings = case
        return " ".join([*(f"{k}={v}" for k, v in settings.items()), *command])

    # Small odd shapes in all precisions, layouts and interfaces, on every kind of plan; then the plans of large
    # batches, whose kernels differ, and the updates in TF32, whose error exceeds what the clients allow. The clients
    # call QR and the routines that belong to it; `tephra check` calls all others. After a change, only the affected
    # ones run.
    runs = [(["programs/native_client"], {"TEPHRA_PLAN": plan}) for plan in ("resident", "blocked", "generic")]
    runs += [(["programs/magma_client"], {}), (["programs/magma_source"], {}), (["programs/solver_client"], {}),
             (["programs/solver_client"], {"TEPHRA_BATCH_INVARIANT": "1"})]
    tf32 = "bin/tephra bench --dtype s --m 170 --n 150 --batch 3 --math tf32 --no-vendor --budget 0 --out -".split()
    runs.append((tf32, {"TEPHRA_PLAN": "blocked"}))
    # Tall panels and block reflectors whose rows are divided among blocks; panels factored from their Gram matrix,
    # alone and as part of an outer panel, together with a member that falls back to the tree; LU step by step. Panels
    # of members with individual sizes in clusters; inverses of large triangles, and from factors.
    tall_ones = [(op, "--m 2500 --n 40 --batch 2") for op in ("geqrf", "orgqr", "ormqr")]
    outer = "--m 70000 --n 40 --batch 3 --input rank-deficient:3"
    tall_ones += [("geqrf", "--m 17000 --n 20 --batch 1"), ("geqrf", outer), ("getrf", "--m 34000 --n 20 --batch 2")]
    tall_ones += [("getrf_vbatched", f"--m {m} --n 20 --batch 3") for m in (1500, 5000, 9000)]
    tall_ones += [("geqrf_vbatched", "--m 5000 --n 20 --batch 3"), ("trtri", "--n 300 --batch 2"),
                  ("potri", "--n 500 --batch 2")]
    for letter in "sdcz":
        for op, sizes in tall_ones:
            # racecheck takes long for this many rows. All precisions are compiled from one source, and d exercises all
            # of it.
            if sizes == outer and tool == "racecheck" and letter != "d":
                continue
            tall = f"bin/tephra bench --op {op} --dtype {letter} {sizes} --no-vendor --budget 0 --out -".split()
            # These take most of the time, and each of their kernels is for one precision.
            if changed is None or key_of((tall, {})) in failed_before or launched(letter, {op}):
                runs.append((tall, {}))
    if affected and not affected & QR:
        runs = [case for case in runs if "bench" in case[0] and case[0] is not tf32 or key_of(case) in failed_before]
    checks = [(rows, letter, (["bin/tephra", "check", "--precisions", letter, "--only", ",".join(rows)], {}))
              for rows in CHECKED for letter in "zcds"]
    runs = [case for rows, letter, case in checks
            if not affected or affected & {*rows} and launched(letter, {*rows}) or key_of(case) in failed_before] + runs
    if not affected or affected & VARYING:
        runs += [(["tests/vbatched", "--test-threads", "1", "--exact", name], {}) for name in MEMBERS]

    def check(stage, bundle, env):
        program = compute_sanitizer()
        if not program:
            return stage.fail("compute-sanitizer is not on this machine")

        def instrumented(number, case):
            ((name, *arguments), settings), key = case, key_of(case)
            if stage.devices > 1:
                settings = settings | {"CUDA_VISIBLE_DEVICES": str(number % stage.devices)}
            if key not in stage.kept:
                # With a kernel filter, racecheck aborts programs that use clusters with an internal error, so they are
                # checked whole: those that are known to, and others after such an error.
                words = [] if arguments[:1] in (["bench"], ["check"]) or key in failed_before else only
                command = [program, "--tool", tool]
                checked = ["--error-exitcode", "86", bundle / name, *arguments]
                status, output = run([*command, *words, *checked], env | settings)
                if words and "Internal Sanitizer Error" in output:
                    status, output = run([*command, *checked], env | settings)
                if status != 0:
                    return status, output
                # Only the summary, as everything else may name places of this machine.
                stage.keep(key, "\n".join(re.findall(r".*SUMMARY: .*", output)))
            return 0, stage.kept[key]

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(instrumented, range(len(runs)), runs))
        for case, (status, output) in zip(runs, results):
            summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: .*", output)
            # racecheck counts hazards, which include its warnings.
            clean = summary and all(re.search(r"SUMMARY: 0 (errors|hazards)", s) for s in summary)
            if status == 0 and clean:
                stage.passed += 1
            else:
                stage.fail(f"{key_of(case)}: status {status}, {'; '.join(summary) or 'no summary'}")
                print(tail(output, 60))
    return check


def preloaded(script, names):
    """The stage for another project's library under the preload library; every name must have been called in each
    precision."""
    def check(stage, bundle, env):
        preload = env | {"LD_PRELOAD": str(bundle / "lib/libtephra_preload.so"), "TEPHRA_VERBOSE": "1", "TEPHRA_PRELOAD": "gemm,gemv"}
        del preload["LD_LIBRARY_PATH"]
        # They spend most of their time on the host, computing references, so each precision gets a process.
        preload["OMP_NUM_THREADS"] = str(max(1, (os.cpu_count() or 4) // 4))
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda letter: run([sys.executable, ROOT / "scripts" / script, letter], preload), "sdcz"))
        output = "".join(text for _, text in results)
        stage.passed += len(re.findall(r"^ok ", output, re.M))
        # Tephra logs each call that it serves; without that line, the vendor did the work.
        for name in names:
            for letter in "SDCZ":
                symbol = name.replace("?", letter) + "Batched"
                if not re.search(rf"^tephra bench .*# {symbol}", output, re.M):
                    stage.fail(f"no call of {symbol} was taken")
        for letter, (status, _) in zip("sdcz", results):
            if status != 0:
                stage.fail(f"{script} {letter}: status {status}")
        if stage.failed:
            print("\n".join(line for line in output.splitlines() if not line.startswith(("ok ", "tephra bench "))))
    return check


TORCH = preloaded("preload_torch.py", ["cublas?geqrf", "cublas?gels", "cublas?trsm", "cublas?getrf", "cublas?getrs",
                                       "cusolverDn?potrf", "cublas?gemmStrided"])
CUPY = preloaded("preload_cupy.py", ["cublas?trsm", "cublas?getrf", "cublas?getrs", "cublas?getri", "cusolverDn?potrf",
                                     "cusolverDn?potrs"])


def python_package(stage, bundle, env):
    """Runs each test file of the Python package in its own process, several at a time, without those that an
    interrupted run has finished."""
    # By default JAX would allocate most of the device's memory in each process.
    env = env | {"PYTHONPATH": str(ROOT / "python/src"), "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
                 "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 4) // 4))}
    folder = ROOT / "python/tests"

    def one(name):
        if name in stage.kept:
            return 0, stage.kept[name]
        # Written to a file immediately, so that the log of an interrupted run shows which test was running.
        log = stage.folder / f"gpu-report.{name}.log"
        command = f'{sys.executable} -m unittest discover -v -s "{folder}" -p {name}.py >"{log}" 2>&1'
        status, _ = run(["sh", "-c", command], env, timeout=1500)
        output = log.read_text(errors="replace")
        if status == 0:
            stage.keep(name, output)
        return status, output

    # Start with the longest, which otherwise might start last and delay the end.
    names = [path.stem for path in sorted(folder.glob("test_*.py"), key=lambda path: -path.stat().st_size)]
    with ThreadPoolExecutor(4) as pool:
        results = dict(zip(names, pool.map(one, names)))
    for name, (status, output) in results.items():
        stage.passed += len(re.findall(r"\.\.\. ok$", output, re.M))
        if status != 0:
            stage.fail(f"the Python package's {name}: status {status}")
            print(tail(output, 40))
    # The tests must have run on the device, not only on host memory.
    if not any(re.search(r"^test_calls_can_be_captured .*\.\.\. ok$", output, re.M) for _, output in results.values()):
        stage.fail("the tests of device tensors did not run")


def embedded_hash(library):
    lib = ctypes.CDLL(str(library))
    lib.tephra_build_info.restype = ctypes.c_char_p
    info = lib.tephra_build_info().decode()
    return dict(line.split("=", 1) for line in info.splitlines() if "=" in line).get("kernel_hash")


def devices():
    """The number of GPUs that this process may use."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return len([name for name in os.environ["CUDA_VISIBLE_DEVICES"].split(",") if name])
    status, output = run(["nvidia-smi", "--list-gpus"], dict(os.environ), 60)
    return len(output.splitlines()) if status == 0 else 0


def device():
    query = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader", "--id=0"]
    status, output = run(query, dict(os.environ), 60)
    if status != 0:
        sys.exit(f"no GPU here: nvidia-smi: {output.strip()}")
    return dict(zip(("device", "driver", "compute_capability"), (s.strip() for s in output.split(","))))


def beside_package(package, pattern):
    """The first file that matches the pattern, relative to the folder that contains a Python package, or None."""
    spec = importlib.util.find_spec(package)
    folders = [Path(p).parent for p in spec.submodule_search_locations or []] if spec else []
    return next((str(f) for folder in folders for f in sorted(folder.glob(pattern))), None)


# Libraries that the tests compare with, from Python wheels unless the environment names others.
COMPARED = {"TEPHRA_LAPACK": ("scipy", "scipy.libs/libscipy_openblas*.so*"),
            "TEPHRA_VENDOR_CUBLAS": ("nvidia", "nvidia/cu13/lib/libcublas.so.13")}


def vouched(bundle):
    """The state that the bundle was built from: compiler, kernels, launches by kernel and by entry point, tests."""
    programs = [(p.name, p) for p in sorted((bundle / "tests").iterdir())]
    return *kernels(bundle / "kernels.txt"), *launches(bundle / "launches.txt"), sorted(tests(programs))


# The routines that a stage's programs call, for stages that need not run if only other routines changed.
QR = {"geqrf", "orgqr", "ormqr", "qr", "gelqf", "geqp3", "gels", "gelsy", "trsm", "larft", "larfb"}
VARYING = {f"{name}_vbatched" for name in ("getrf", "getrf_nopiv", "getrs", "gesv", "getri", "potrf", "potrs", "posv", "potri", "geqrf", "orgqr",
                                          "ormqr", "gemm", "gemv", "trsm", "syrk", "syr2k", "trmm", "laswp")}
SANITIZED = QR.union(VARYING, *CHECKED)
PRELOADED = QR | {"getrf", "getrs", "getri", "laswp", "potrf", "potrs", "gemm"}
CALLED = {"memcheck": SANITIZED, "racecheck": SANITIZED, "pytorch preload": PRELOADED, "cupy preload": PRELOADED}


def failed_stages(report):
    """The stages of all runs in the report that failed and have not passed since."""
    runs = [report, *report.get("since", [])]
    return [stage for one in runs for stage in one.get("stages", []) if stage["failed"]]


def of_change(report, tree):
    """(predicate for the tests to run again, stages to skip, affected routines, {changed kernel: its routines})."""
    _, compiled, launched_by, calls, listed = tree
    changed_kernels, changed_calls, new_tests = stale(report, compiled, calls, listed)
    again = {s["name"] for s in failed_stages(report)}
    programs = {note.split(":")[0] for s in failed_stages(report) if s["name"].startswith("tests") for note in s["notes"]}
    if not (changed_kernels or changed_calls or new_tests or again):
        sys.exit("the report vouches for this tree: nothing to do")
    routines = {routine(call) for call in calls}
    affected = {r for kernel in changed_kernels for r in launched_by.get(kernel, [])} | set(map(routine, changed_calls))
    print(f"changed: {len(changed_kernels)} kernels, {len(changed_calls)} entry points, {len(new_tests)} new tests; "
          f"routines: {', '.join(sorted(affected)) or 'none'}; failed before: {', '.join(sorted(again)) or 'nothing'}")

    def chosen(test, program):
        about = routines & set(re.split("::|_", test))
        return test in new_tests or not about or bool(about & affected) or program in programs
    left_out = {name for name, called in CALLED.items() if not called & affected}
    # The package does not call vbatched routines.
    if affected and all("_vbatched" in r for r in affected):
        left_out.add("python package")
    return chosen, left_out - again, affected, {kernel: launched_by.get(kernel, []) for kernel in changed_kernels}


def passed_later(report, done):
    """Marks the failed stages of the report that have passed in a later run."""
    passed = {s["name"] for s in done["stages"] if s["passed"] and not s["failed"]}
    for stage in failed_stages(report):
        if stage["name"] in passed:
            stage["passed_later"], stage["failed"] = f"{stage['failed']}, in the run of {done['date']}", 0


# Stages whose results depend on machine code and launches alone. What they have passed still holds when the host code of the
# library has changed; all other stages are repeated then.
OF_KERNELS = {"memcheck", "racecheck"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", type=Path, default=ROOT / "build/gpu-bundle")
    parser.add_argument("--out", type=Path, default=REPORT)
    parser.add_argument("--only", help="run the stages whose name contains this, and write no report")
    parser.add_argument("--changed", action="store_true", help="check only what changed since the report, or failed in it")
    parser.add_argument("--resume", action="store_true", help="keep what an interrupted run has passed: memcheck and racecheck if machine code and launches "
                        "are unchanged, all other stages if the library is the same file")
    parser.add_argument("--base", type=Path, default=REPORT, help="the report that --changed adds to")
    args = parser.parse_args()
    bundle = args.bundle.resolve()

    library = next(bundle.glob("lib/libtephra.so.*"), None)
    if library is None:
        sys.exit(f"no library in {bundle}: run make gpu-bundle")
    tree = vouched(bundle)
    if embedded_hash(library) != digest(bundle / "kernels.txt"):
        sys.exit("the bundle's library was not made with the bundle's kernels: run make gpu-bundle")
    report = json.loads(args.base.read_text()) if args.changed else {}
    if report.get("status") == "pending":
        sys.exit(f"the report is pending as a whole, so nothing can be added to it: {report.get('reason')}")
    chosen, left_out, affected, changed = of_change(report, tree) if args.changed else (None, (), set(), None)
    # Hazards occur in shared memory, so for a change racecheck only needs the changed kernels that use it, and their
    # programs.
    having = sharing(bundle / "kernels.txt")
    racing = {kernel: names for kernel, names in (changed or {}).items() if kernel in having}
    raced = {name for names in racing.values() for name in names} or affected
    notes = {tool: " ".join(note for s in failed_stages(report) if s["name"] == tool for note in s["notes"])
             for tool in ("memcheck", "racecheck")}

    nccl = beside_package("nvidia", "nvidia/nccl/lib")
    env = dict(os.environ, TEPHRA_BACKEND="cuda", TEPHRA_LIBRARY=str(library),
               LD_LIBRARY_PATH=os.pathsep.join([str(bundle / "lib"), *([nccl] if nccl else [])]))
    env.pop("LD_PRELOAD", None)
    for variable, place in COMPARED.items():
        found = beside_package(*place)
        if variable not in env and found:
            env[variable] = found

    done = {**device(), "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ"), "stages": []}
    first = [("tests on all devices", rust_tests(chosen, ON_ALL_DEVICES)), ("tests by themselves", rust_tests(chosen, ALONE))]
    stages = [*first, ("tests", rust_tests(chosen)), ("programs", programs), ("tephra check", self_check),
              ("memcheck", sanitizer("memcheck", affected, None, notes["memcheck"])),
              ("racecheck", sanitizer("racecheck", raced, racing if args.changed else None, notes["racecheck"])), ("pytorch preload", TORCH),
              ("cupy preload", CUPY), ("python package", python_package)]
    stages = [(name, body) for name, body in stages if name not in left_out and (not args.only or args.only in name)]
    # Finished parts are saved, in case this run is interrupted.
    args.out.parent.mkdir(parents=True, exist_ok=True)
    kept = args.out.with_suffix(".part")
    # Bundles with the same machine code are the same, whatever the sources.
    codes = " ".join(f"{name}={entry.split()[0]}" for name, entry in sorted(tree[1].items()))
    whole = hashlib.sha256(codes.encode()).hexdigest() + digest(bundle / "launches.txt")
    part = json.loads(kept.read_text()) if args.resume and kept.exists() else {"bundle": None}
    ended, runs, libraries, host = {}, {}, {}, digest(library)
    if part["bundle"] == whole:
        before = part.get("libraries", {})
        still = {name for name in part["ended"].keys() | part.get("runs", {}) if name in OF_KERNELS or before.get(name) == host}
        ended, runs, libraries = ({name: old[name] for name in old.keys() & still}
                                  for old in (part["ended"], part.get("runs", {}), before))

    # Those of stages that --only leaves out stay in the file.
    runs |= {name: runs.get(name, {}) for name, _ in stages}
    lock = threading.Lock()

    def keep(where, key, value):
        with lock:
            where[key] = value
            kept.write_text(json.dumps({"bundle": whole, "ended": ended, "runs": runs, "libraries": libraries}))

    def entry(named, env=env):
        name, body = named
        print(f"== {name}", flush=True)
        stage = Stage(name)
        libraries[name] = host
        stage.kept, stage.folder = runs[name], args.out.parent
        stage.devices = devices() if left == [named] else 1  # with nothing beside it
        stage.keep = functools.partial(keep, stage.kept)
        body(stage, bundle, env)
        if stage.passed == 0 and stage.failed == 0:
            stage.fail("nothing was run")
        print(f"  {name}: {stage.passed} passed, {stage.failed} failed", flush=True)
        keep(ended, name, stage.entry())

    left = [s for s in stages if ended.get(s[0], {"failed": 1})["failed"]]
    # racecheck's processes share the device with all others by time slicing, which slows these down threefold. With two
    # devices, the second one runs the package's tests and then racecheck, which may exceed the available time; with
    # one, racecheck is last. The other stages are divided into three groups of about the same length.
    races, package = "racecheck", "python package"
    sides_of = {"memcheck": 1, "tephra check": 1, package: 1, "pytorch preload": 2, "cupy preload": 2}
    second = env | {"CUDA_VISIBLE_DEVICES": "1,0"} if devices() > 1 else None
    beside = [s for name in (package, races) for s in left if s[0] == name] if second else []
    alone, taken = [s for s in left if s in first], {s[0] for s in [*first, *beside]}
    last = [s for s in left if s[0] == races and not second]
    sides = [[s for s in left if s[0] not in taken | {races} and sides_of.get(s[0], 0) == side] for side in range(3)]

    def in_turn(some, where=env):
        for stage in some:
            entry(stage, where)

    with ThreadPoolExecutor(4) as pool:
        in_turn(s for s in alone if s[0] == first[0][0])
        on_second = pool.submit(in_turn, beside, second)
        in_turn(s for s in alone if s[0] != first[0][0])
        list(pool.map(in_turn, sides))
        on_second.result()
    in_turn(last)
    done["stages"] = [ended[name] for name, _ in stages]
    failed = any(s["failed"] for s in done["stages"])
    if failed and args.changed:
        print(f"{args.out} is left as it was")
    elif not args.only:
        if args.changed:
            passed_later(report, done)
        report = {**report, "since": [*report.get("since", []), done]} if args.changed else {"status": "", **done}
        nvcc, compiled, _, calls, listed = tree
        report.pop("pending", None)
        report |= {"status": "failed" if failed else "passed", "nvcc": nvcc, "kernels": compiled, "launches": calls,
                   "tests": listed}
        args.out.write_text(json.dumps(report, indent=1) + "\n")
        kept.unlink(missing_ok=True)
        for log in args.out.parent.glob("gpu-report.test_*.log"):
            log.unlink()
        print(f"{args.out}: {report['status']}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
