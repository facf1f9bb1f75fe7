#!/usr/bin/env bash
# Searches by MPI: 1, 2 and 4 ranks choose the same, over a pool from a seed; a rank that fails ends the others.
# ranks_test.sh PROGRAM; skipped, with exit code 77, where there is no MPI.
set -euo pipefail

program="$1"
if [[ ! -x "$program" ]] || ! command -v mpirun >/dev/null; then
  echo 'skipped: there is no MPI here (packages libopenmpi-dev, openmpi-bin)'
  exit 77
fi

fail() {
  echo "ranks_test.sh: $*" >&2
  exit 1
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI holds memory until a program ends, and its plugins are gone by then: their leaks cannot be told from ours.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# run RANKS ARGUMENT...
run() {
  local ranks="$1"
  shift
  timeout 120 mpirun --oversubscribe -n "$ranks" "$program" simulate "$@"
}

for policy in ff-oful ff-thompson; do
  expected=''
  for ranks in 1 2 4; do
    said="$(run "$ranks" --documents 20000 --features 2000 --rounds 2000 --policy "$policy")"
    echo "$said"
    choices="$(grep '^choices ' <<<"$said")"
    [[ -z "$expected" || "$choices" == "$expected" ]] || fail "$ranks ranks chose otherwise: $choices, $expected"
    expected="$choices"
  done
done

if run 2 /no/such/set.json; then fail 'a set that is not there was searched'; fi
echo 'the same choices'
