#!/usr/bin/env bash
# Makes the runs that the committed board stands on, and adds them. Nothing here costs money.
#
#   benchmarks/board.sh [STAGE…]      all stages in this order where none is named
#     clear      takes every admitted attempt off the board
#     controls   reference and starter, a run a suite
#     entries    the networks in packages/handnet-bench/entries, as they were handed in
#     mutants    every wrong program of every kernels task, each as a model; one run a task
#     smollm2    the small language model, where `benchmarks/smollm2.sh setup` was done
#     build      the pages, then the check
#
# Ends with the minutes of each stage, and with status 1 where the board refused a run.
#
# BOARD: the board's folder (default: leaderboard). BOARD_BY: who hands the runs in (default: benchwright).
# BOARD_SUITES, BOARD_DRAWS: what the small language model is asked (default: all, 1).
# BOARD_KERNELS: whose mutants run, as task slugs (default: every task's).
set -euo pipefail
cd "$(dirname "$0")/.."

board=${BOARD:-leaderboard}
by=${BOARD_BY:-benchwright}
runs=$(mktemp -d)
refused=()
trap 'rm -rf "$runs"' EXIT

run_and_join() { # NAME, then the arguments of `bench run`
    local name=$1
    shift
    "${RUNNER:-bench}" run --no-mlflow --out "$runs/$name" "$@" || echo "bench run ended with status $?" >&2
    join "$name"
}

join() { # NAME of a run in $runs
    bench leaderboard add "$runs/$1" --by "$by" --board "$board" || refused+=("$1")
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
        run_and_join "controls-$suite" --suite "$suite" --model reference --model starter
    done
}

entries() {
    local slug file name
    for slug in mnist sst2; do
        for file in packages/handnet-bench/entries/*_"$slug"/net.py; do
            name=$(basename "$(dirname "$file")")
            bench score "handnet/$slug" "$file" --model "entry/${name//_/-}" --out "$runs/entries-$name" ||
                echo "bench score ended with status $?" >&2
            if grep -q '"outcome":"needs_data"' "$runs/entries-$name/attempts.jsonl"; then
                echo "handnet/$slug needs its data here: entry/${name//_/-} is not handed in" >&2
                continue
            fi
            join "entries-$name"
        done
    done
}

mutants() {
    local slug
    for slug in ${BOARD_KERNELS:-$(python -c 'from scratch_kernels import folder; print(*folder.slugs())')}; do
        # shellcheck disable=SC2046
        run_and_join "mutants-$slug" --tasks "kernels/$slug" $(wrong_programs "kernels/$slug")
    done
}

smollm2() {
    RUNNER=benchmarks/smollm2.sh run_and_join smollm2 --suite "${BOARD_SUITES:-all}" --draws "${BOARD_DRAWS:-1}"
}

build() {
    bench leaderboard build --board "$board"
    bench leaderboard check --board "$board"
}

took=()
for stage in "${@:-clear controls entries mutants smollm2 build}"; do
    for one in $stage; do
        case $one in
            clear | controls | entries | mutants | smollm2 | build) ;;
            *) sed -n '2,/^set/p' "$0" | grep '^#' >&2; exit 2 ;;
        esac
        began=$SECONDS
        "$one"
        took+=("$one $(((SECONDS - began) / 60)):$(printf %02d $(((SECONDS - began) % 60)))")
    done
done
printf '%s\n' "${took[@]}"

if [ ${#refused[@]} -gt 0 ]; then
    echo "Refused by the board, for the reasons above: ${refused[*]}" >&2
    exit 1
fi
