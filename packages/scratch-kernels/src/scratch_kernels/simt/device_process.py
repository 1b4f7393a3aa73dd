"""What runs inside the walls for `device.py`: one launch by the CUDA driver. The standard library alone."""

import ctypes
import json
import struct
import sys

MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…
MOST_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


class Driver:
    """The driver's functions; each call that fails ends the process with a sentence."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, function, *arguments):
        code = getattr(self.library, function)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(code, ctypes.byref(text))
            sys.exit(f"{function}: {text.value.decode() if text.value else f'error {code}'}")


def about(driver):
    """Name and compute capability of the first device."""
    driver("cuInit", 0)
    device = ctypes.c_int()
    driver("cuDeviceGet", ctypes.byref(device), 0)
    name = ctypes.create_string_buffer(256)
    driver("cuDeviceGetName", name, 256, device)
    numbers = []
    for attribute in (MAJOR, MINOR):
        number = ctypes.c_int()
        driver("cuDeviceGetAttribute", ctypes.byref(number), attribute, device)
        numbers.append(number.value)
    return device, {"name": name.value.decode(), "capability": numbers}


def launch(driver, device, asked):
    """Runs the kernel of `asked` once and writes what its buffers hold afterwards into the file `result`."""
    context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    driver("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    driver("cuCtxSetCurrent", context)
    with open("binary", "rb") as file:
        binary = file.read()
    driver("cuModuleLoadData", ctypes.byref(module), binary)
    driver("cuModuleGetFunction", ctypes.byref(function), module, asked["function"].encode())
    with open("data", "rb") as file:
        data = file.read()
    values, pointers, at = [], [], 0
    for part in asked["parts"]:
        content = data[at : at + part["bytes"]]
        at += part["bytes"]
        if part["kind"] == "symbol":
            place, size = ctypes.c_uint64(), ctypes.c_size_t()
            driver("cuModuleGetGlobal_v2", ctypes.byref(place), ctypes.byref(size), module, part["name"].encode())
            driver("cuMemcpyHtoD_v2", place, content, ctypes.c_size_t(min(size.value, len(content))))
        elif part["kind"] == "value":
            values.append(ctypes.create_string_buffer(content, len(content)))
        else:
            place = ctypes.c_uint64()
            driver("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(max(1, len(content))))
            driver("cuMemcpyHtoD_v2", place, content, ctypes.c_size_t(len(content)))
            values.append(ctypes.create_string_buffer(struct.pack("<Q", place.value), 8))
            pointers.append((place, len(content)))
    if asked["shared"] > 49152:
        driver("cuFuncSetAttribute", function, MOST_DYNAMIC_SHARED, asked["shared"])
    arguments = (ctypes.c_void_p * max(1, len(values)))(*(ctypes.addressof(value) for value in values))
    driver(
        "cuLaunchKernel",
        function,
        *map(ctypes.c_uint, (*asked["grid"], *asked["block"], asked["shared"])),
        None,
        arguments,
        None,
    )
    driver("cuCtxSynchronize")
    with open("result", "wb") as file:
        for place, size in pointers:
            held = ctypes.create_string_buffer(max(1, size))
            driver("cuMemcpyDtoH_v2", held, place, ctypes.c_size_t(size))
            file.write(held.raw[:size])


def main():
    """`about` prints what the device is; anything else names the file with the request."""
    driver = Driver()
    device, told = about(driver)
    if sys.argv[1] == "about":
        sys.stdout.write(json.dumps(told))
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        launch(driver, device, json.load(file))


if __name__ == "__main__":
    main()
