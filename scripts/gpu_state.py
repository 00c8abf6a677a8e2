"""The state of a tree that a GPU report covers: the compiled kernels, the CUDA backend's calls of the driver, and the
tests that run on a GPU."""
import hashlib
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAUNCHES = ROOT / "tests/launches/expected.txt"
# Test programs that do not need a GPU: those of the CPU backend, comparisons with the sources, those that use the
# recording driver, and those of the build.
NOT_FOR_A_GPU = {"built", "cpu", "drivers", "launches", "many_recorded", "tiled", "warm_plans"}
# Programs that consist of several linked modules; their tests are named by module, without the program.
TOGETHER = {"cli", "interfaces", "qr", "systems"}


def digest(path):
    """The kernel_hash of a library built with this list of kernels."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kernels(path):
    """The compiler, and for each kernel the digests of its sm_90 code and of its source ("CODE SOURCE"), from the list
    that the build writes (kernels.txt)."""
    lines = path.read_text().splitlines()
    words = (line.split() for line in lines if line.startswith("90 "))
    return lines[0].lstrip("# "), {name: f"{code} {source.removeprefix('source=')}" for _, name, code, *_, source in words}


def sharing(path):
    """The kernels of that list that use static or dynamic shared memory."""
    words = [line.split() for line in path.read_text().splitlines() if line.startswith("90 ")]
    return {line[1] for line in words if "dynamic" in line or "shared=0" not in line}


def same_kernel(now, vouched):
    """Whether two entries of kernels() are the same kernel: the code or the source is equal. A changed comment leaves
    the code equal, and the same source may give different code, because nvcc 13.0 chooses at random, by its own
    addresses, between equivalent instructions (such as one load of two numbers or two loads)."""
    return bool(set(now.split()) & set(vouched.split()))


def launches(path=LAUNCHES):
    """({kernel: routines that launch it}, {setting and entry point: its driver calls}), from the record of launches."""
    kernels, calls = {}, {}
    for kind, rest in (line.split(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#")):
        name, value = rest.split(": ")
        if kind == "kernel":
            kernels[name] = sorted(set(map(without_form, value.split())))
        else:
            calls[name] = value
    return kernels, calls


def without_form(name):
    """Strips MAGMA's variants from a name: gemm_vbatched from gemm_vbatched_max_nocheck."""
    return re.sub(r"(?<=_vbatched)(_max)?(_nocheck)?(_work)?$", "", name)


def routine(call):
    """The routine of an entry point, by the real LAPACK name without its letter: geqrf for `default
    tephra_dgeqrf_strided_batched`."""
    name = re.sub(r"^(tephra|cublas|magma|magmablas)_?[sdczSDCZ]", "", call.split()[-1])
    name = re.sub(r"((_strided|_expert)?_batched|Batched|2?_gpu)$", "", name)
    return without_form(re.sub(r"^un(?=gqr|mqr)", "or", name))


def test_programs(cargo_test):
    """(name, path) of each GPU test program that the cargo command builds."""
    command = [*cargo_test, "--no-run", "--message-format=json"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in output.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("reason") == "compiler-artifact" and message["profile"]["test"] and message.get("executable"):
            name = message["target"]["name"]
            if message["target"]["kind"] == ["test"] and name not in NOT_FOR_A_GPU:  # unit tests only test the host
                yield name, Path(message["executable"])


def tests_of(program, path):
    """{name: the program's name for it} of all tests of a test program. Names are program::module::test, or
    module::test for programs of several linked modules."""
    output = subprocess.run([path, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
    own = [line.removesuffix(": test") for line in output.splitlines() if line.endswith(": test")]
    return {test if program in TOGETHER else f"{program}::{test}": test for test in own}


def tests(programs):
    """The names of all tests of test programs."""
    for program, path in programs:
        yield from tests_of(program, path)


def stale(report, listed_kernels, listed_launches, listed_tests):
    """The (kernels, calls, tests) of a tree that a report does not cover."""
    vouched = report.get("kernels", {}), report.get("launches", {}), report.get("tests", [])
    return ([name for name, digests in listed_kernels.items() if not same_kernel(digests, vouched[0].get(name, ""))],
            [call for call, asked in listed_launches.items() if vouched[1].get(call) != asked],
            [test for test in listed_tests if test not in vouched[2]])
