#!/usr/bin/env bash
# Searches by MPI: 1, 2 and 4 ranks choose the same, over a pool from a seed; a rank that fails ends the others.
# ranks_test.sh PROGRAM; skipped, with exit code 77, where there is no MPI.
set -euo pipefail

program="$1"
if [[ ! -x "$program" ]] || ! command -v mpirun >/dev/null; then
  echo 'skipped: there is no MPI here (packages libopenmpi-dev, openmpi-bin)'
  exit 77
fi

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# fail RANKS WHAT: prints the failure, and all that mpirun and the ranks wrote in their last run.
fail() {
  echo "ranks_test.sh: $1 ranks: $2" >&2
  cat "$scratch"/mpirun "$scratch"/rank.* >&2 || true # there are no such files if no rank began
  exit 1
}

# Only the search is tested: without networks and without files shared with other jobs, nothing on this machine disturbs Open MPI.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl_vader_backing_directory="$scratch" OMPI_MCA_orte_tmpdir_base="$scratch" PMIX_MCA_gds=hash
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
# Open MPI frees memory only at the end, when its plugins are unloaded, so their leaks cannot be told from ours.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# run RANKS ARGUMENT...: runs the program. Each rank writes to a file of its own, because mpirun may lose the end of their output.
run() {
  local ranks="$1"
  shift
  rm -f "$scratch"/rank.*
  # shellcheck disable=SC2016 # each rank expands it
  timeout 120 mpirun --oversubscribe -n "$ranks" \
    sh -c 'folder="$1"; shift; exec "$@" >"$folder/rank.$OMPI_COMM_WORLD_RANK" 2>&1' sh "$scratch" \
    "$program" simulate "$@" >"$scratch/mpirun" 2>&1 </dev/null
}

for policy in ff-oful ff-thompson; do
  expected=''
  for ranks in 1 2 4; do
    run "$ranks" --documents 20000 --features 2000 --rounds 2000 --policy "$policy" ||
      fail "$ranks" "$policy ended with $?"
    cat "$scratch/rank.0"
    choices="$(grep '^choices ' "$scratch/rank.0" || true)"
    [[ -n "$choices" && "$choices" == "${expected:-$choices}" ]] ||
      fail "$ranks" "$policy made other choices than one rank: '$choices', expected '$expected'"
    expected="$choices"
  done
done

if run 2 /no/such/set.json; then fail 2 'a set that is not there was searched'; fi
grep -q '/no/such/set.json: cannot open' "$scratch"/rank.* || fail 2 'no rank says which set is not there'
echo 'the same choices'
