"""What runs inside the walls for `nvrtc.py`: one request, one compilation of each architecture. The standard library alone."""

import base64
import ctypes
import json
import sys


def main() -> None:
    """Reads the request in the file named first and writes the answer into the one named second."""
    with open(sys.argv[1], encoding="utf-8") as file:
        asked = json.load(file)
    library = ctypes.CDLL(asked["library"])
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    numbers = (ctypes.c_int * count.value)()
    library.nvrtcGetSupportedArchs(numbers)
    answer = {"version": f"{major.value}.{minor.value}", "supported": list(numbers), "made": []}
    for arch in asked["archs"]:
        if int(arch.removeprefix("sm_").rstrip("a")) in answer["supported"]:
            answer["made"].append({"arch": arch, **_compile(library, asked, arch)})
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answer, file)


def _compile(library, asked, arch):
    program = ctypes.c_void_p()
    names = list(asked["headers"])
    texts = _strings(asked["headers"][name] for name in names)
    source, file = asked["source"].encode(), asked["file"].encode()
    library.nvrtcCreateProgram(ctypes.byref(program), source, file, len(names), texts, _strings(names))
    for expression in asked["expressions"]:
        library.nvrtcAddNameExpression(program, expression.encode())
    options = [f"--gpu-architecture={arch}", "--std=c++17", "--ptxas-options=-v", *asked["options"]]
    code = library.nvrtcCompileProgram(program, len(options), _strings(options))
    made = {
        "code": code,
        "log": _text(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, program).decode(errors="replace"),
    }
    if code == 0:
        lowered = ctypes.c_char_p()
        made["names"] = {}
        for expression in asked["expressions"]:
            if library.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(lowered)) == 0:
                made["names"][expression] = lowered.value.decode()
        if asked["binary"]:
            binary = _text(library.nvrtcGetCUBINSize, library.nvrtcGetCUBIN, program, whole=True)
            made["binary"] = base64.b64encode(binary).decode()
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return made


def _strings(words):
    encoded = [word.encode() for word in words]
    return (ctypes.c_char_p * len(encoded))(*encoded) if encoded else None


def _text(size_of, copy, program, whole=False):
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    held = ctypes.create_string_buffer(max(1, size.value))
    copy(program, held)
    return held.raw[: size.value] if whole else held.value


if __name__ == "__main__":
    main()
