#!/usr/bin/env bash
# Makes the runs that the committed board stands on, and adds them. Nothing here costs money.
#
#   benchmarks/board.sh [STAGE…]      all stages in this order where none is named
#     clear      takes every admitted attempt off the board
#     controls   reference and starter, a run a suite
#     mutants    every wrong program of every kernels task, each as a model; one run a task
#     smollm2    the small language model, where `benchmarks/smollm2.sh setup` was done
#     build      the pages, then the check
#
# BOARD: the board's folder (default: leaderboard). BOARD_BY: who hands the runs in (default: benchwright).
# BOARD_SUITES, BOARD_DRAWS: what the small language model is asked (default: all, 1).
set -euo pipefail
cd "$(dirname "$0")/.."

board=${BOARD:-leaderboard}
by=${BOARD_BY:-benchwright}
runs=$(mktemp -d)
refused=()
trap 'rm -rf "$runs"' EXIT

join() { # NAME, then the arguments of `bench run`
    local name=$1
    shift
    "${RUNNER:-bench}" run --no-mlflow --out "$runs/$name" "$@" || [ $? -eq 1 ]
    bench leaderboard add "$runs/$name" --by "$by" --board "$board" || refused+=("$name")
}

wrong_programs() {
    python - "$1" <<'PYTHON'
import sys

from scratch_kernels import folder, wrong_models

for name in wrong_models.programs(folder.of(sys.argv[1])):
    print("--model", f"mutant/{name}")
PYTHON
}

clear() { rm -f "$board"/attempts/*.jsonl; }

controls() {
    local suite
    for suite in $(python -c 'from benchwright import registry; print(*registry.load().suites)'); do
        join "controls-$suite" --suite "$suite" --model reference --model starter
    done
}

mutants() {
    local task
    for task in $(python -c 'from scratch_kernels import folder; print(*(f"kernels/{slug}" for slug in folder.slugs()))'); do
        # shellcheck disable=SC2046
        join "mutants-${task#*/}" --tasks "$task" $(wrong_programs "$task")
    done
}

smollm2() {
    RUNNER=benchmarks/smollm2.sh join smollm2 --suite "${BOARD_SUITES:-all}" --draws "${BOARD_DRAWS:-1}"
}

build() {
    bench leaderboard build --board "$board"
    bench leaderboard check --board "$board"
}

for stage in "${@:-clear controls mutants smollm2 build}"; do
    for one in $stage; do
        case $one in
            clear | controls | mutants | smollm2 | build) "$one" ;;
            *) sed -n '2,13p' "$0" >&2; exit 2 ;;
        esac
    done
done

if [ ${#refused[@]} -gt 0 ]; then
    echo "Refused by the board, for the reasons above: ${refused[*]}" >&2
    exit 1
fi
