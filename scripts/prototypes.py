"""The parameters of the native functions, read from the C header, for scripts that call them by name."""
import re
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "include/tephra.h"


def prototypes():
    """(type, name) of each parameter of every function that returns a status, by the function's name."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    found = re.findall(r"^tephra_status (tephra_\w+)\(([^;]*?)\);", text, flags=re.M | re.S)
    parameters = lambda text: [re.fullmatch(r"(.*?)(\w+)", " ".join(word.split())).groups() for word in text.split(",")]
    return {name: parameters(text) for name, text in found}
