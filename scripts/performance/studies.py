"""The measurements: the files with a routine's times and with other libraries' times, and the pages that show them."""
from collections import namedtuple

# path: Tephra's file, which includes the vendor's times. peers: a file of other libraries' times, from another run.
# addend: a file whose times are added before taking ratios (orgqr after geqrf). strided: the same cases with strides
# instead of pointer arrays. on_cpu: shown only if the file records the other library's version and processor kernels.
Study = namedtuple("Study", "path title vendor intro charts peers addend strided on_cpu", defaults=((), None, None, None, False))
# A routine's page. chart: whether it has a chart of speeds relative to the fastest other library, from the first study.
# row: its name in the table of routines; `front` adds it to README's table.
Page = namedtuple("Page", "name title studies chart row front", defaults=(True, None, False))

EVENTS = "Device events around one call, median of at least five after two warm-ups"
OTHER_DAY = "measured on another day on the same model of GPU with the same protocol"
LU_PEERS, CHOLESKY_PEERS = "results/h200/peers_lu.csv", "results/h200/peers_cholesky_blas.csv"


def lu(name, title, how=""):
    return Study(f"results/h200/{name}.csv", f"{title} on an H200", "cuBLAS",
                 f"{EVENTS}; cuBLAS{how} in the same run. *Fastest other*: the fastest of cuBLAS, MAGMA 2.10, cuSolverDx 0.5 (compiled "
                 f"for the exact size) and PyTorch's own kernels; all but cuBLAS were {OTHER_DAY}.", (), LU_PEERS)


def cholesky(name, title, vendor, how=None):
    return Study(f"results/h200/{name}.csv", f"{title} on an H200", vendor,
                 f"{EVENTS}{how or f'; {vendor} in the same run'}. The limit is that of the vector pipes; products in d and z use the tensor "
                 "instruction, which is twice as fast. *Fastest other*: the fastest of cuBLAS, cuSOLVER, MAGMA 2.10 and cuSolverDx 0.5 "
                 f"(compiled for the exact size), {OTHER_DAY}.", (), CHOLESKY_PEERS)


def large(device, name, title, remark):
    return Study(f"results/{device.lower()}/large{name}.csv", f"{title} on an {device}", "torch",
                 "Device events. torch.geqrf and torch.linalg.householder_product (torch 2.11.0+cu130) call cuSOLVER 12.0 for one matrix after another, in "
                 f"FP32 or FP64 (`scripts/bench_large.py`).{remark}")


def cpu(name, title, intro):
    return Study(f"results/cpu/{name}.csv", f"{title} on the CPU backend", "OpenBLAS", intro, on_cpu=True)


ONE_THREAD = ("The other library is called once per matrix. Both use one thread; times are processor time, the shortest of many rounds in "
              "which the two take turns (`benches/cpu_blas.rs`).")

PAGES = [
    Page("geqrf", "QR (geqrf)", [
        Study("results/h200/geqrf.csv", "QR (geqrf) on an H200", "cuBLAS",
              f"{EVENTS}; cuBLAS in the same run, its slowest cases with fewer repeats (column `repeats`). Charts: `tephra bench --plot`; a line connects "
              "cases of one batch size. *Fastest other*: the fastest of cuBLAS, MAGMA 2.10 and cuSolverDx 0.5 (compiled for the exact size); all "
              f"but cuBLAS were {OTHER_DAY}. *By strides*: the strided interface, which need not wait for pointers to be loaded; cuSolverDx's "
              "times are for strided batches, too.",
              ("geqrf-h200-square", "geqrf-h200-square-efficiency", "geqrf-h200-tall", "geqrf-h200-tall-efficiency",
               "geqrf-h200-speedup"), "results/h200/peers.csv", None, "results/h200/geqrf_strided.csv"),
        Study("results/h200/geqrf_optimiser.csv", "QR of what second-order optimisers factor, on an H200", "cuBLAS",
              f"{EVENTS}. *Fastest other*: as above.", (), "results/h200/peers_optimiser.csv")], row="QR, `geqrf`", front=True),
    Page("orgqr", "Q (orgqr, qr)", [
        Study("results/h200/orgqr.csv", "Q over its reflectors (orgqr) on an H200", "cuBLAS",
              f"{EVENTS}. No vendor has this routine batched. *With geqrf*: the time of geqrf and orgqr together over that of geqrf "
              "alone, where geqrf was timed on the shape.", (), None, "results/h200/geqrf_q.csv"),
        Study("results/h200/qr.csv", "QR with explicit thin Q and R on an H200", "cuBLAS", f"{EVENTS}. No vendor has this routine."),
        Study("results/h200/torch_qr.csv", "tephra.qr beside torch.linalg.qr on an H200", "torch",
              "Wall-clock time of one call on device tensors, including allocation and Python (`scripts/bench_torch.py`); torch 2.11.0+cu130.")],
         chart=False),
    Page("large", "Tall and large matrices", [
        Study("results/h100/large_lu_chol.csv", "LU and Cholesky of one and of few large matrices on an H100", "torch",
              "Device events. torch.linalg.lu_factor_ex and cholesky_ex (torch 2.11.0+cu130) call cuSOLVER 12.0 for one matrix, in the same run; Tephra may use "
              "cuBLAS (`scripts/bench_large_systems.py`). *Test ratio*: |L U x - P A x| / (n |A x| eps) for a random x."),
        large("H100", "", "Tall and large matrices", ""),
        large("H100", "_fp32_tensor", "Large matrices in FP32 on tensor cores (fp32_tensor)", ""),
        large("H200", "", "Tall and large matrices", " Measured before tall panels were factored from their Gram matrices."),
        large("H200", "_fp32_tensor", "Large matrices in FP32 on tensor cores (fp32_tensor)", " Measured before that change, too."),
        large("H200", "_fp16", "Large matrices with operands in FP16 (fp16)", " Measured before that change, too.")], chart=False),
    Page("gels", "Least squares (gels)", [
        Study("results/h200/gels.csv", "Least squares (gels) on an H200", "cuBLAS", f"{EVENTS}; cuBLAS in the same run.")],
         row="least squares, `gels`", front=True),
    Page("trsm", "Triangular solves (trsm)", [
        Study("results/h200/trsm.csv", "Triangular solves (trsm) on an H200", "cuBLAS",
              f"{EVENTS}; cuBLAS in the same run. m is the order, n the number of right-hand sides.")],
         row="triangular solves, `trsm`", front=True),
    Page("getrf", "LU (getrf)", [lu("getrf", "LU (getrf)")], row="LU, `getrf`", front=True),
    Page("getrf_nopiv", "LU without interchanges (getrf_nopiv)",
         [lu("getrf_nopiv", "LU without interchanges (getrf_nopiv)")], row="LU without pivoting, `getrf_nopiv`"),
    Page("getrs", "Systems from LU factors (getrs)", [lu("getrs", "Systems from LU factors (getrs)")], row="systems from LU factors, `getrs`"),
    Page("gesv", "Systems of equations (gesv)",
         [lu("gesv", "Systems of equations (gesv)", "'s getrf and getrs")], row="linear systems, `gesv`", front=True),
    Page("getri", "Inverses from LU factors (getri)", [lu("getri", "Inverses from LU factors (getri)")], row="inverses from LU factors, `getri`"),
    Page("inv", "Inverses (inv)", [lu("inv", "Inverses (inv)", "'s getrf and getri")], row="inverses, `inv`", front=True),
    Page("potrf", "Cholesky (potrf)", [cholesky("potrf", "Cholesky (potrf)", "cuSOLVER")], row="Cholesky, `potrf`", front=True),
    Page("potrs", "Systems from Cholesky factors (potrs)",
         [cholesky("potrs", "Systems from Cholesky factors (potrs)", "cuSOLVER", "; cuSOLVER, with one right-hand side, in the same run")],
         row="systems from Cholesky factors, `potrs`", front=True),
    Page("posv", "Positive definite systems (posv)", [cholesky("posv", "Positive definite systems (posv)", "cuSOLVER")],
         row="positive definite systems, `posv`", front=True),
    Page("potri", "Inverses from Cholesky factors (potri)",
         [cholesky("potri", "Inverses from Cholesky factors (potri)", "cuSOLVER", ". No vendor has this routine batched")], chart=False),
    Page("gemm", "Products (gemm)", [cholesky("gemm", "Products (gemm)", "cuBLAS")], row="products, `gemm`", front=True),
    Page("gemv", "Matrices with vectors (gemv)", [cholesky("gemv", "Matrices with vectors (gemv)", "cuBLAS")], row="matrix times vector, `gemv`"),
    Page("syrk", "Rank-k updates (syrk, herk)", [
        cholesky("syrk", "Rank-k updates (syrk)", "cuBLAS", "; cuBLAS's gemm in the same run"),
        cholesky("herk", "Hermitian rank-k updates (herk)", "cuBLAS", "; cuBLAS's gemm in the same run")], chart=False),
    Page("cpu", "The CPU backend", [
        cpu("geqrf", "QR (geqrf)", "Both libraries use the same number of threads. The other library is called once per matrix, with the matrices "
            "divided among the threads or, where that is faster, for one matrix after another with its own threads."),
        *(cpu(name, title, ONE_THREAD) for name, title in (("gemm", "Products (gemm)"), ("potrf", "Cholesky (potrf)"), ("getrf", "LU (getrf)"),
                                                            ("gesv", "Systems of equations (gesv)")))], chart=False),
]
# Times for random sizes, by operation, from whichever card has them.
OFF_THE_GRID = ("results/h200/random.csv", "results/h100/random.csv")
ROWS_OF = {"qr": "geqrf", "lu": "getrf", "lunp": "getrf_nopiv"}
