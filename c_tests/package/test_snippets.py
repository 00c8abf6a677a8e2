#!/usr/bin/env python3
"""Tests the code in README and docs/: C and Fortran are compiled and run on the CPU backend, the `tephra` program must
accept the commands, and the log line must be as README shows it. Python code is tested in
python/tests/test_snippets.py, and README's C program and CMake file in test_package.py.

Called by c_tests/Makefile with STAGE, OUT and SKIP in the environment.
"""
import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGE = Path(os.environ["STAGE"])
OUT = Path(os.environ["OUT"]) / "snippets"
SKIP = os.environ.get("SKIP", "").split()
CC, FC = os.environ.get("CC", "cc"), os.environ.get("FC", "gfortran")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "demo").rglob("*.md"))]
LINK = [f"-I{STAGE}/include", f"-L{STAGE}/lib", f"-Wl,-rpath,{STAGE}/lib", "-ltephra"]

# The code around a fragment of C. It defines the variables that the pages use; every array holds three well-conditioned
# matrices of 6 x 4, or of 4 x 4 for calls on square matrices.
AROUND = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tephra.h>
typedef %(real)s real;
static real *filled(int64_t m, int64_t n, int64_t batch) {
    real *x;
    if (tephra_malloc((void **)&x, 65536)) exit(2);
    for (int64_t i = 0; i < m * n * batch; ++i) x[i] = (real)(i %% (m + 1) == 0 ? 8 : (i * 7 %% 5) - 2);
    return x;
}
static void check(tephra_status status) {
    if (status == TEPHRA_STATUS_SUCCESS) return;
    fprintf(stderr, "%%d %%s\\n", (int)status, tephra_last_error());
    exit(1);
}
int main(void) {
    int64_t n = 4, m = %(rows)s, k = n, nrhs = 2, batch = 3;
    void *stream = NULL;
    real *a = filled(m, n, batch), *b = filled(m, nrhs, batch), *c = filled(m, m, batch), *q = filled(m, m, batch);
    real *r = filled(m, n, batch), *tau = filled(m, 1, batch), *x = filled(m, nrhs, batch), *t = NULL, *residuals = filled(m, n, 1);
    int ipiv[64], info[64], iterations[64];
    void *work = NULL;
    (void)n, (void)m, (void)k, (void)nrhs, (void)batch, (void)stream, (void)a, (void)b, (void)c, (void)q, (void)r, (void)tau, (void)x, (void)t;
    (void)residuals, (void)ipiv, (void)info, (void)iterations, (void)work;
%(fragment)s
    return 0;
}
"""
FORTRAN = """program around
    use, intrinsic :: iso_c_binding
    %(use)s
    implicit none
    integer(c_int64_t) :: m = 3, n = 2, lda = 3, batch = 1
    integer(c_int) :: status
    real(c_double), target :: a(3, 2) = reshape([3d0, 4d0, 0d0, 1d0, 2d0, 3d0], [3, 2]), tau(2)
    type(c_ptr), target :: pointers(2)
    type(c_ptr) :: a_array, tau_array, stream = c_null_ptr
    pointers = [c_loc(a), c_loc(tau)]
    a_array = c_loc(pointers(1))
    tau_array = c_loc(pointers(2))
    %(fragment)s
    if (status /= 0) error stop "status"
    print "(f6.3)", a(1, 1)
end program
"""


def run(command, **options):
    done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def blocks(language):
    """(page, code block) of all code blocks in a language."""
    for page in PAGES:
        for block in re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S):
            yield page, block


def commands():
    """(page, command line) of the tephra program, in code blocks and in running text, without those with an
    ellipsis."""
    for page in PAGES:
        text = page.read_text()
        code = "\n".join(b for language in ("sh", "text") for p, b in blocks(language) if p == page)
        found = re.findall(r"^(tephra [a-z].*?)(?: +#.*)?$", code, re.M)
        found += re.findall(r"`(tephra (?:bench|explain|tune|check|info)\b[^`]*)`", text)
        yield from ((page, line) for line in found if "..." not in line)


class Snippets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        OUT.mkdir(parents=True, exist_ok=True)
        os.environ["TEPHRA_BACKEND"] = "cpu"

    def test_fragments_of_c_run(self):
        fragments = [(page, block) for page, block in blocks("c") if "main(" not in block]
        self.assertGreater(len(fragments), 5)
        for i, (page, block) in enumerate(fragments):
            with self.subTest(page=page.name, code=block):
                square = re.search(r"tephra_d(gesv|getrf|inv)_", block)
                real = "float" if re.search(r"\btephra_s[a-z]", block) else "double"
                checked = re.sub(r"^(tephra_\w+\([^;]*\));", r"check(\1);", block, flags=re.M)
                self.assertEqual(checked.count("check("), block.count(");"), block)
                source, program = OUT / f"fragment{i}.c", OUT / f"fragment{i}"
                source.write_text(AROUND % {"real": real, "rows": "4" if square else "6", "fragment": checked})
                run([CC, "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", program, source, *LINK])
                run([program])

    @unittest.skipIf("gfortran" in SKIP, "gfortran is left out")
    def test_fragments_of_fortran_run(self):
        found = list(blocks("fortran"))
        self.assertTrue(found)
        for i, (page, block) in enumerate(found):
            with self.subTest(page=page.name, code=block):
                use, _, rest = block.partition("\n")
                source, program = OUT / f"fragment{i}.f90", OUT / f"fortran{i}"
                source.write_text(FORTRAN % {"use": use, "fragment": rest})
                run([FC, "-std=f2018", f"-J{OUT}", "-o", program, STAGE / "include/tephra.f90", source, *LINK])
                self.assertEqual(run([program]).split(), ["-5.000"])

    def test_the_program_takes_the_commands(self):
        """Runs the `explain` commands; for the others, checks that every option exists."""
        found = list(commands())
        self.assertGreater(len(found), 5)
        program, known = STAGE / "bin/tephra", {}
        for page, line in found:
            with self.subTest(page=page.name, command=line):
                words = shlex.split(line)
                if words[1] == "explain" and len(words) > 2:
                    run([program, *words[1:]])
                if words[1] not in known:
                    known[words[1]] = run([program, words[1], "--help"])
                for option in (w for w in words[2:] if w.startswith("--")):
                    self.assertRegex(known[words[1]], rf"{option}\b", line)

    def test_the_log_is_as_printed(self):
        """Compares README's line, adapted to the example's numbers, name, strides and backend."""
        (line,) = [b.strip() for p, b in blocks("text") if p.name == "README.md" and "tephra bench" in b]
        line = line.removesuffix("...").replace("# cublasDgeqrfBatched", "--strided # tephra_dgeqrf_strided_batched")
        pattern = re.escape(line)
        pattern = re.sub(r"\d+", r"\\d+", re.sub(r"plan=.*", "plan=", pattern.replace("backend=cuda", "backend=cpu")))
        (source,) = [b for p, b in blocks("c") if p.name == "README.md"]
        (OUT / "logged.c").write_text(source)
        run([CC, "-o", OUT / "logged", OUT / "logged.c", *LINK])
        log = run([OUT / "logged"], env=os.environ | {"TEPHRA_VERBOSE": "1"})
        self.assertRegex(log, pattern)
        # The logged line is a command that can be run.
        command = re.search(r"tephra (bench.*?) # ", log)[1]
        run([STAGE / "bin/tephra", *shlex.split(command)])


if __name__ == "__main__":
    unittest.main(verbosity=1)
