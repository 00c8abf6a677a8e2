"""What the GPU report vouches for, as it is in a tree: the compiled kernels, what the CUDA backend asks the driver to do,
and the tests that run on a GPU."""
import hashlib
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAUNCHES = ROOT / "tests/launches/expected.txt"
# Test programs that are not for a GPU: the CPU backend's own, comparisons with the sources, what runs over the recording driver,
# parts of the build.
NOT_FOR_A_GPU = {"built", "cpu", "drivers", "launches", "many_recorded", "tiled", "warm_plans"}
# Programs of which a test's name does not tell: they are modules linked together, by which their tests are called.
TOGETHER = {"cli", "interfaces", "qr", "systems"}


def digest(path):
    """What a library made with this list of kernels calls its kernel_hash."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kernels(path):
    """The compiler, and of each kernel the digests of its code for sm_90 and of its source ("CODE SOURCE"), from the list that
    the build writes (kernels.txt)."""
    lines = path.read_text().splitlines()
    words = (line.split() for line in lines if line.startswith("90 "))
    return lines[0].lstrip("# "), {name: f"{code} {source.removeprefix('source=')}" for _, name, code, *_, source in words}


def sharing(path):
    """Kernels of that list that have shared memory, static or given by launches."""
    words = [line.split() for line in path.read_text().splitlines() if line.startswith("90 ")]
    return {line[1] for line in words if "dynamic" in line or "shared=0" not in line}


def same_kernel(now, vouched):
    """Whether two entries of kernels() are of one kernel. The same code may come from other text (a comment), and the same
    text may give other code: nvcc 13.0 chooses at random, by its own addresses, between equal instructions (seen: one load
    of two numbers, or two loads)."""
    return bool(set(now.split()) & set(vouched.split()))


def launches(path=LAUNCHES):
    """({kernel: routines that launch it}, {setting and entry point: what its calls ask for}), from the record of launches."""
    kernels, calls = {}, {}
    for kind, rest in (line.split(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#")):
        name, value = rest.split(": ")
        if kind == "kernel":
            kernels[name] = sorted(set(map(without_form, value.split())))
        else:
            calls[name] = value
    return kernels, calls


def without_form(name):
    """gemm_vbatched of MAGMA's gemm_vbatched_max_nocheck."""
    return re.sub(r"(?<=_vbatched)(_max)?(_nocheck)?(_work)?$", "", name)


def routine(call):
    """geqrf of `default tephra_dgeqrf_strided_batched`: LAPACK's name in double precision without its letter."""
    name = re.sub(r"^(tephra|cublas|magma|magmablas)_?[sdczSDCZ]", "", call.split()[-1])
    name = re.sub(r"((_strided|_expert)?_batched|Batched|2?_gpu)$", "", name)
    return without_form(re.sub(r"^un(?=gqr|mqr)", "or", name))


def test_programs(cargo_test):
    """(name, path) of each test program for a GPU that the cargo command builds."""
    command = [*cargo_test, "--no-run", "--message-format=json"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in output.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("reason") == "compiler-artifact" and message["profile"]["test"] and message.get("executable"):
            name = message["target"]["name"]
            if message["target"]["kind"] == ["test"] and name not in NOT_FOR_A_GPU:  # unit tests are about the host, too
                yield name, Path(message["executable"])


def tests_of(program, path):
    """{name: what the program calls it} of all tests of a test program. Names are program::module::test, or module::test of
    modules that are linked together."""
    output = subprocess.run([path, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
    own = [line.removesuffix(": test") for line in output.splitlines() if line.endswith(": test")]
    return {test if program in TOGETHER else f"{program}::{test}": test for test in own}


def tests(programs):
    """The names of all tests of test programs."""
    for program, path in programs:
        yield from tests_of(program, path)


def stale(report, listed_kernels, listed_launches, listed_tests):
    """What of a tree a report does not vouch for: (kernels, calls, tests)."""
    vouched = report.get("kernels", {}), report.get("launches", {}), report.get("tests", [])
    return ([name for name, digests in listed_kernels.items() if not same_kernel(digests, vouched[0].get(name, ""))],
            [call for call, asked in listed_launches.items() if vouched[1].get(call) != asked],
            [test for test in listed_tests if test not in vouched[2]])
