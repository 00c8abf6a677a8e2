#!/usr/bin/env python3
"""Writes the Fortran interfaces: the native part of include/tephra.f90 from include/tephra.h; the parts for magmablas_
and the vendors' other routines from the prototypes in tests/abi/; and include/tephra_generic.f90 from the families of
include/tephra.f90.

    scripts/fortran.py            rewrite both (`make header`, which generates tephra.h first)
    scripts/fortran.py --check    exit with status 1 if one is stale

The text outside the marked parts of tephra.f90, for cuBLAS's and MAGMA's names with generic ones, is written by hand.
"""
import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include"
LETTERS = "sdcz"
PRECISIONS = (LETTERS, "cz")  # the precisions a routine may have: all, or the complex ones


def kind_of(declared):
    return declared.split("(")[1].rstrip(")").removeprefix("kind=")


@dataclass
class Argument:
    name: str
    type: str  # the Fortran type with its kind
    attribute: str  # "value", "intent(out)", "intent(in)"; with ", optional" where NULL is legal
    array: bool = False

    @property
    def kind(self):
        return kind_of(self.type)


@dataclass
class Function:
    """A C prototype, or an interface for all four precisions."""

    name: str
    doc: list
    arguments: list
    result: tuple  # name and type; None for a subroutine
    symbols: dict = field(default_factory=dict)  # precision: exported name


# ---- tephra.h

SCALARS = {
    "int64_t": "integer(c_int64_t)", "int": "integer(c_int)", "size_t": "integer(c_size_t)", "double": "real(c_double)"
}


def argument(text, doc):
    """Converts one C parameter. Addresses of matrices and other data in the backend's memory become type(c_ptr) by
    value; what the function writes in host memory becomes intent(out), and strings become character arrays that end in
    c_null_char."""
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)", " ".join(text.split())).groups()
    kind = kind.strip()
    if kind in SCALARS:
        return Argument(name, SCALARS[kind], "value")
    if kind in ("void **", "tephra_comm **") and name != "comms":
        return Argument(name, "type(c_ptr)", "intent(out)")
    if kind == "const char *":
        optional = ", optional" if 'NULL or ""' in doc else ""
        return Argument(name, "character(kind=c_char)", "intent(in)" + optional, array=True)
    if kind == "size_t *":
        optional = ", optional" if f"*{name} (may be NULL)" in doc else ""
        return Argument(name, SCALARS["size_t"], "intent(out)" + optional)
    if kind == "int64_t *" and name == "tsize":
        return Argument(name, SCALARS["int64_t"], "intent(out)")
    if kind == "int *" and name not in ("info", "ipiv", "jpvt", "perm", "iterations", "rank"):
        return Argument(name, SCALARS["int"], "intent(out)")
    if kind in ("tephra_allgather", "tephra_broadcast", "tephra_part", "tephra_chunk", "tephra_progress"):
        return Argument(name, "type(c_funptr)", "value")
    assert kind.endswith("*"), text
    return Argument(name, "type(c_ptr)", "value")


RESULTS = {"tephra_status": ("status", "integer(c_int32_t)"), "const char *": ("text", "type(c_ptr)")}


def comment(text):
    lines = [re.sub(r"^ ?\*? ?", "", line.strip()) for line in text.strip().splitlines()]
    return [line.rstrip() for line in lines]


def header():
    """(constants with their comments, functions), in the header's order."""
    text = (INCLUDE / "tephra.h").read_text()
    block = r"/\*\*((?:(?!\*/).)*)\*/\n"
    constants = re.findall(block + r"#define (TEPHRA_\w+) (-?\d+)\n", text, re.S)
    functions = []
    pattern = block + r"(const char \*|tephra_status )(tephra_\w+)\(([^;]*)\);"
    for doc, returns, name, parameters in re.findall(pattern, text, re.S):
        parameters = [] if parameters == "void" else parameters.split(",")
        arguments = [argument(p, doc) for p in parameters]
        functions.append(Function(name, comment(doc), arguments, RESULTS[returns.strip()]))
    declared = set(re.findall(r"\b(tephra_\w+)\(", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))
    assert declared == {f.name for f in functions}, declared ^ {f.name for f in functions}
    return constants, functions


def precision(name):
    """The precision of a native name, and the name of its family: ungqr and unmqr belong to the families orgqr and
    ormqr."""
    routine = r"(?:\w+_batched|geqrf|(?:or|un)[gm]qr|gem?qr|gels(?:_iterative)?)(?:_workspace|_tsize)?"
    match = re.fullmatch(rf"tephra_([sdcz])({routine})", name)
    if not match:
        return None, name
    letter, rest = match.groups()
    return letter, "tephra_" + re.sub(r"^un(gqr|mqr)", r"or\1", rest)


def families(functions):
    """(families over the precisions, other functions)"""
    found, others = {}, []
    for function in functions:
        letter, name = precision(function.name)
        if letter is None:
            others.append(function)
            continue
        family = found.setdefault(name, Function(name + "_c", function.doc, function.arguments, function.result))
        assert [(a.name, a.type, a.attribute) for a in family.arguments] == [
            (a.name, a.type, a.attribute) for a in function.arguments
        ], function.name
        family.symbols[letter] = function.name
    for family in found.values():
        assert "".join(family.symbols) in PRECISIONS, family.name
    return list(found.values()), others


# ---- Fortran

WIDTH = 128  # the standard allows 132 columns


def statement(text, indent):
    """The lines of a statement, with continuations if it is too long."""
    pad = " " * indent
    lines = textwrap.wrap(text, WIDTH - indent - 4, break_long_words=False, break_on_hyphens=False)
    return [pad + ("    " if i else "") + line + (" &" if i + 1 < len(lines) else "") for i, line in enumerate(lines)]


def declarations(arguments, indent, convert=lambda a: a.attribute):
    """The declarations of arguments, with one statement per type."""
    groups = {}
    for a in arguments:
        groups.setdefault((a.type, convert(a)), []).append(a.name + ("(*)" if a.array else ""))
    lines = []
    for (kind, attribute), names in groups.items():
        lines += statement(f"{kind}, {attribute} :: {', '.join(names)}", indent)
    return lines


def interface(function, indent):
    pad, names = " " * indent, ", ".join(a.name for a in function.arguments)
    result, kind = function.result
    kinds = sorted({a.kind for a in function.arguments} | {kind_of(kind)})
    lines = [(pad + "! " + line).rstrip() for line in function.doc]
    lines += statement(f"function {function.name}({names}) bind(C) result({result})", indent)
    lines += statement(f"import :: {', '.join(kinds)}", indent + 4)
    lines += declarations(function.arguments, indent + 4)
    return lines + [f"{pad}    {kind} :: {result}", f"{pad}end function", ""]


def fold(doc):
    """Wraps a comment of the header to the width; rows of tables stay on lines of their own."""
    lines = []
    for line in doc:
        lines += textwrap.wrap(line, WIDTH - 12, break_long_words=False, break_on_hyphens=False) or [""]
    return lines


def native_constants(constants):
    lines = []
    for doc, name, value in constants:
        lines += ["    ! " + line for line in fold(comment(doc))]
        lines.append(f"    integer(c_int), parameter :: {name} = {value}")
    return lines


def native_families(found):
    lines = ["    abstract interface"]
    for family in found:
        family.doc = fold(family.doc)
        lines += interface(family, 8)
    lines[-1] = "    end interface"
    for family in found:
        lines.append("")
        for symbol in family.symbols.values():
            lines += statement(f'procedure({family.name}), bind(C, name="{symbol}") :: {symbol}', 4)
    return lines


def native_others(others):
    lines = ["    interface"]
    for function in others:
        function.doc = fold(function.doc)
        lines += interface(function, 8)
    lines[-1] = "    end interface"
    return lines


def replaced(text, part, lines, origin="tephra.h"):
    begin, end = f"    ! ---- {part}: by scripts/fortran.py from {origin}\n", f"    ! ---- End of {part}\n"
    before, rest = text.split(begin)
    return before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1]


# ---- magmablas_: subroutines. Where they take scalars by value, these distinguish the precisions, so the name is a
# Fortran generic

NUMBERS = {
    "float": "real(c_float)",
    "double": "real(c_double)",
    "magmaFloatComplex": "complex(c_float_complex)",
    "magmaDoubleComplex": "complex(c_double_complex)",
}


def magmablas_argument(text):
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)(?:\[\])?", " ".join(text.split())).groups()
    kind, name = kind.strip(), name.lower()
    if kind.removeprefix("const ") in NUMBERS:
        return Argument(name, NUMBERS[kind.removeprefix("const ")], "value")
    if kind == "magma_int_t" or re.fullmatch(r"magma_(side|uplo|trans|diag)_t", kind):
        return Argument(name, SCALARS["int"], "value")
    assert kind.endswith("*") or "_ptr" in kind or kind == "magma_queue_t", text
    return Argument(name, "type(c_ptr)", "value")


def magmablas():
    routines = {}
    for row in (INCLUDE.parent / "tests/abi/magma.tsv").read_text().splitlines():
        symbol, _, parameters = row.split("\t")
        # Products already have generic names from the native interface.
        match = re.fullmatch(r"magmablas_([sdcz])(?!gem[mv]|\w*vbatched)(\w+)", symbol)
        if match:
            routines.setdefault("magma_" + match[2], []).append((symbol, parameters.split(",")))
    lines = []
    for name, precisions in routines.items():
        assert len(precisions) in map(len, PRECISIONS), name
        parsed = [(symbol, [magmablas_argument(p) for p in parameters]) for symbol, parameters in precisions]
        generic_name = any(a.type in NUMBERS.values() for a in parsed[0][1])
        lines.append(f"    interface {name}" if generic_name else "    interface")
        for symbol, arguments in parsed:
            lines += statement(f"subroutine {symbol}({', '.join(a.name for a in arguments)}) bind(C)", 8)
            lines += statement(f"import :: {', '.join(sorted({a.kind for a in arguments}))}", 12)
            lines += declarations(arguments, 12) + ["        end subroutine"]
        lines += ["    end interface", ""]
    return lines[:-1]


# ---- the vendors' other routines, under their own names

def vendors_argument(text, symbol):
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)(?:\[\d*\])?", " ".join(text.split())).groups()
    kind, name, array = " ".join(kind.replace("*", " * ").split()), name.lower(), text.rstrip().endswith("]")
    plain = kind.replace("const", "").strip()
    if plain == "char *":
        return Argument(name, "character(kind=c_char)", "intent(in)", array=True)
    if plain in NUMBERS and not array:
        return Argument(name, NUMBERS[plain], "value")
    numbers = {"int64_t": "int64_t", "long long int": "int64_t", "long long": "int64_t", "size_t": "size_t"}
    is_handle = re.search(r"[Hh]andle_t|[Ss]tream_t|queue_t|event_t|Params_t|_ptr", plain)
    of_integers = SCALARS[numbers.get(plain.rstrip(" *"), "int")]
    # In grouped routines, arrays are on the host, except those of matrices.
    if array and "Grouped" in symbol and "*" not in kind:
        return Argument(name, NUMBERS.get(plain, of_integers), "intent(in)", array=True)
    if "*" not in kind and not array and not is_handle:
        return Argument(name, of_integers, "value")
    # Single numbers that the function writes in host memory.
    written = {"lwork", "device_lwork", "lwork_host", "lwork_device", "version", "mode", "value", "streamid", "nb", "recnb"}
    written |= {"smcounttarget", "emulationstrategy", "workspaceinbytesondevice", "workspaceinbytesonhost"}
    one = kind.count("*") == 1 and "const" not in kind and not array
    if one and (name in written or name == "info" and "_gpu" in symbol) and not is_handle:
        # MAGMA's functions also read the size of the workspace: a negative one is a query.
        read = "lwork" in name and symbol.startswith("magma")
        return Argument(name, of_integers, "intent(inout)" if read else "intent(out)")
    if one and is_handle and name in ("handle", "params", "streamid", "queue_ptr"):
        return Argument(name, "type(c_ptr)", "intent(out)")
    return Argument(name, "type(c_ptr)", "value")


VENDORS_RESULTS = {
    "cublasStatus_t": ("status", "integer(c_int)"), "cusolverStatus_t": ("status", "integer(c_int)"),
    "magma_int_t": ("code", "integer(c_int)"), "void": None,
    "cublasHandle_t": ("handle", "type(c_ptr)"), "cusparseHandle_t": ("handle", "type(c_ptr)"),
    "cudaStream_t": ("stream", "type(c_ptr)"),
}
# Functions for matrices and for their handles, without those for strings, logs and host callbacks.
VENDORS_NAMES = {
    "cublas": r"cublas(?!.*(?:Logger|Xerbla|GetStatus|Cudart))\w+",
    "cusolver": r"cusolver\w+",
    "magma": r"(?:magma|magmablas|blas)_[sdcz]\w*(?:batched\w*|_gpu\w*)|magma_get_[sdcz]\w+_nb(?:param)?|magma_[isdcz]print\w*"
    r"|magma_(?:set|get|copy)(?:matrix|vector)\w*_internal|magma_iset_pointer|magma_queue_(?:get|create_from)_\w+",
}


def vendors(by_hand):
    """Plain interfaces for functions that the rest of tephra.f90 lacks, one for all precisions if these have the same
    arguments."""
    families = {}
    by_hand = re.sub(r"!.*", "", by_hand)  # a function named in a comment does not count as an interface
    for library, pattern in VENDORS_NAMES.items():
        for row in (INCLUDE.parent / f"tests/abi/{library}.tsv").read_text().splitlines()[1:]:
            symbol, result, parameters = row.split("\t")
            if not re.fullmatch(pattern, symbol) or re.search(rf"\b{symbol}\b", by_hand):
                continue
            parameters = [] if parameters == "void" else parameters.split(",")
            arguments = [vendors_argument(p, symbol) for p in parameters]
            family = re.sub(r"(?<=_)[sdcz](?=[a-z])|(?<=cublas)[SDCZ](?=[a-z])|(?<=cusolverDn)[SDCZ](?=[a-z])", "", symbol, count=1)
            form = (family, VENDORS_RESULTS[result], tuple((a.name, a.type, a.attribute, a.array) for a in arguments))
            families.setdefault(form, (arguments, []))[1].append(symbol)
    alike, apart, named = [], ["    interface"], set()
    forms = ["    abstract interface"]
    for (family, result, _), (arguments, symbols) in families.items():
        own = f"{family}_form".lower() if len(symbols) > 1 else symbols[0].removesuffix("_v2")
        # The arguments may differ between real and complex types.
        own += "_2" if own in named else ""
        named.add(own)
        names = ", ".join(a.name for a in arguments)
        # Without a name, the symbol would be the Fortran name in lower case.
        bound = "bind(C)" if len(symbols) > 1 or symbols[0] == own.lower() else f'bind(C, name="{symbols[0]}")'
        kinds = sorted({a.kind for a in arguments} | ({kind_of(result[1])} if result else set()))
        kind, tail = ("function", f" result({result[0]})") if result else ("subroutine", "")
        lines = statement(f"{kind} {own}({names}) {bound}{tail}", 8)
        lines += statement(f"import :: {', '.join(kinds)}", 12) + declarations(arguments, 12)
        lines += [f"            {result[1]} :: {result[0]}"] if result else []
        (forms if len(symbols) > 1 else apart).extend(lines + [f"        end {kind}"])
        if len(symbols) > 1:
            for symbol in symbols:
                alike += statement(f'procedure({own}), bind(C, name="{symbol}") :: {symbol}', 4)
    return forms + ["    end interface", ""] + alike + [""] + apart + ["    end interface"]


# ---- the generic names

GENERIC_HEAD = """! Generic names for the four precisions, for every routine of tephra.f90 that has the same interface in all of them.
! The operands are addresses, whose type does not depend on the precision, so the precision is the first argument:
! dtype = 's', 'd', 'c' or 'z'. The other arguments are those of the specific routine, in the same order, except for
! the workspace: work and work_bytes come last, and may be omitted if no workspace is needed. Any other letter
! returns -1, or CUBLAS_STATUS_INVALID_VALUE from cuBLAS's names.
!
! Compile this file after tephra.f90. It refers to the routines of all three APIs, so link with -ltephra.
!
! Generated by scripts/fortran.py; do not edit.
module tephra_generic
    use, intrinsic :: iso_c_binding
    use tephra
    implicit none
    private
"""

HELPERS = """    ! Bytes of one element; 0 for an unknown letter.
    pure integer(c_size_t) function element_bytes(dtype)
        character, intent(in) :: dtype
        select case (dtype)
        case ('s', 'S'); element_bytes = 4
        case ('d', 'D', 'c', 'C'); element_bytes = 8
        case ('z', 'Z'); element_bytes = 16
        case default; element_bytes = 0
        end select
    end function

    ! Sets array(i) to base + (i - 1) * stride elements of the given precision, in queue order. Returns 0 or -1.
    integer(c_int) function set_pointer(dtype, array, base, stride, batch_count, queue) result(info)
        character, intent(in) :: dtype
        type(c_ptr), intent(in) :: array, base, queue
        integer(c_int), intent(in) :: stride, batch_count
        procedure(magma_set_pointer_c), pointer :: routine
        info = 0
        select case (dtype)
        case ('s', 'S'); routine => magma_sset_pointer
        case ('d', 'D'); routine => magma_dset_pointer
        case ('c', 'C'); routine => magma_cset_pointer
        case ('z', 'Z'); routine => magma_zset_pointer
        case default; info = -1; return
        end select
        call routine(array, base, 1_c_int, 0_c_int, 0_c_int, stride, batch_count, queue)
    end function

    subroutine queue_create(device, queue)
        integer(c_int), intent(in) :: device
        type(c_ptr), intent(out) :: queue
        call magma_queue_create_internal(device, queue, "queue_create" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine

    subroutine queue_sync(queue)
        type(c_ptr), intent(in) :: queue
        call magma_queue_sync_internal(queue, "queue_sync" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine

    subroutine queue_destroy(queue)
        type(c_ptr), intent(in) :: queue
        call magma_queue_destroy_internal(queue, "queue_destroy" // c_null_char, "" // c_null_char, 0_c_int)
    end subroutine
end module
"""


def joined(text):
    """Joins continued statements to single lines."""
    return re.sub(r"\s*&\s*\n\s*", " ", text)


def fortran_families(text):
    """The abstract interfaces of tephra.f90, with the routines that use them."""
    text, found = joined(text), []
    pattern = r"\n        function (\w+)_c\(([^)]*)\) bind\(C\) result\((\w+)\)\n(.*?)\n        end function"
    for name, names, result, body in re.findall(pattern, text, re.S):
        declared = {}
        for kind, attribute, variables in re.findall(r"^\s+([\w(=]+\)?), (.*?) :: (.*)$", body, re.M):
            for variable in variables.split(", "):
                declared[variable] = Argument(variable, kind, attribute)
        kind = re.search(rf"^\s+(\S+) :: {result}$", body, re.M).group(1)
        routines = re.findall(rf"procedure\({name}_c\), bind\(C, name=\"\w+\"\) :: (\w+)", text)
        letters = LETTERS if len(routines) == 4 else "cz"
        assert len(routines) == len(letters), (name, routines)
        arguments = [declared[variable] for variable in names.split(", ")]
        found.append(Function(name, [], arguments, (result, kind), dict(zip(letters, routines))))
    return found


def generic(family):
    work = [Argument(a.name, a.type, "intent(in), optional") for a in family.arguments if a.name in ("work", "work_bytes")]
    others = [a for a in family.arguments if a.name not in ("work", "work_bytes")]
    result, kind = family.result
    names = ", ".join(["dtype"] + [a.name for a in others + work])
    lines = statement(f"{kind} function {family.name}({names}) result({result})", 4)
    lines.append("        character, intent(in) :: dtype")
    lines += declarations(others + work, 8, lambda a: "intent(in)" if a.attribute == "value" else a.attribute)
    lines.append(f"        procedure({family.name}_c), pointer :: routine")
    passed = [a.name for a in family.arguments]
    if work:
        lines += ["        type(c_ptr) :: w", "        integer(c_size_t) :: w_bytes"]
        lines += ["        w = c_null_ptr; w_bytes = 0", "        if (present(work)) w = work"]
        lines += ["        if (present(work_bytes)) w_bytes = work_bytes"]
        passed = [{"work": "w", "work_bytes": "w_bytes"}.get(name, name) for name in passed]
    lines.append("        select case (dtype)")
    for letter, routine in family.symbols.items():
        lines.append(f"        case ('{letter}', '{letter.upper()}'); routine => {routine}")
    refused = "status = CUBLAS_STATUS_INVALID_VALUE" if family.name.startswith("cublas_") else f"{result} = -1"
    written = [f"{a.name} = {-1 if a.name == 'info' else 0}" for a in others if a.attribute == "intent(out)"]
    lines.append("        case default; " + "; ".join(written + [refused, "return"]))
    lines.append("        end select")
    lines += statement(f"{result} = routine({', '.join(passed)})", 8)
    return lines + ["    end function", ""]


def generic_module(text):
    found = fortran_families(text)
    lines = [GENERIC_HEAD.rstrip()]
    lines += ["    public :: element_bytes, set_pointer, queue_create, queue_sync, queue_destroy"]
    lines += [f"    public :: {family.name}" for family in found]
    lines += ["", "contains", ""]
    for family in found:
        lines += generic(family)
    return "\n".join(lines) + "\n" + HELPERS


def main():
    constants, functions = header()
    found, others = families(functions)
    path = INCLUDE / "tephra.f90"
    text = path.read_text()
    text = replaced(text, "native constants", native_constants(constants))
    text = replaced(text, "native routines", native_families(found))
    text = replaced(text, "native helpers", native_others(others))
    text = replaced(text, "magmablas_ routines", magmablas(), "tests/abi/magma.tsv")
    others = re.sub(r"    ! ---- the vendors' other routines:.*    ! ---- End of the vendors' other routines\n", "", text, flags=re.S)
    text = replaced(text, "the vendors' other routines", vendors(others), "tests/abi/")
    stale = False
    for path, text in [(path, text), (INCLUDE / "tephra_generic.f90", generic_module(text))]:
        too_long = [line for line in text.splitlines() if len(line) > 132]
        assert not too_long, too_long
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"include/{path.name} is stale: run make header", file=sys.stderr)
            stale = True
    return stale


if __name__ == "__main__":
    sys.exit(main())
