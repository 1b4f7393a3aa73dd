#!/usr/bin/env bash
# Makes the runs that the committed board stands on, and adds them. Nothing here costs money.
#
#   benchmarks/board.sh [BOARD]      default: leaderboard
#
# Controls (reference and starter) on every suite; every mutant of every kernels task, each as a model; the small
# language model where `benchmarks/smollm2.sh setup` was done. BOARD_BY names who hands the runs in.
set -euo pipefail
cd "$(dirname "$0")/.."

board=${1:-leaderboard}
by=${BOARD_BY:-benchwright}
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
export BENCHWRIGHT_RUNS=$runs BENCHWRIGHT_MLFLOW=off

join() {
    local name=$1
    shift
    bench run --no-mlflow --out "$runs/$name" "$@" || [ $? -eq 1 ]
    bench leaderboard add "$runs/$name" --by "$by" --board "$board"
}

wrong_programs() {
    python - "$1" <<'PYTHON'
import sys

from scratch_kernels import folder, wrong_models

for name in wrong_models.programs(folder.of(sys.argv[1])):
    print("--model", f"mutant/{name}")
PYTHON
}

kernels() {
    python -c 'from scratch_kernels import folder; print(*(f"kernels/{slug}" for slug in folder.slugs()))'
}

join controls --suite all --model reference --model starter
for task in $(kernels); do
    # shellcheck disable=SC2046
    join "mutants-${task#*/}" --tasks "$task" $(wrong_programs "$task")
done
if [ -d "${BENCHWRIGHT_SMOLLM2:-${XDG_CACHE_HOME:-$HOME/.cache}/benchwright/smollm2}/venv" ]; then
    benchmarks/smollm2.sh run --suite all --draws "${BOARD_DRAWS:-1}" --no-mlflow --out "$runs/smollm2"
    bench leaderboard add "$runs/smollm2" --by "$by" --board "$board"
fi
bench leaderboard build --board "$board"
bench leaderboard check --board "$board"
