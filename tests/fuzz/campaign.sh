#!/usr/bin/env bash
# campaign.sh FAST CHECKED HOME HOW EXECUTIONS [NAME...]: runs the fuzz targets of two folders of programs, the fast ones and
# those with sanitizers, and counts the executions in HOME. `./dev fuzz` calls it; see README.md.
#
# HOW is `more`: this many executions for each target; or `until`: until each has this many with those of earlier runs.
# HOME/counts has a line for each leg: TARGET, `fast` or `checked`, executions, seconds of the processor, edges.
# HOME/corpus, HOME/findings and HOME/logs have a folder or files for each target. The variable INKLING_FUZZ_FLAGS holds
# more options for libFuzzer. A finding ends the work on its target; the exit code is 1 where there was one.
set -euo pipefail

fast="$1" checked="$2" home="$3" how="$4" wanted="$5"
shift 5
seeds="$(dirname "${BASH_SOURCE[0]}")/corpus"
longest=131072 # bytes of an input: enough for a piece that is repeated 60,000 times
leg=500000 # executions between two counts, so at most these are lost in a power cut
share=100  # in each leg, one execution in this many runs under the sanitizers, after all inputs that the fast program found
read -ra flags <<<"${INKLING_FUZZ_FLAGS:-}"

# Ctrl-C stops the running program, and its executions are counted.
stopped=0 child=''
trap 'stopped=1; [[ -z "$child" ]] || kill -TERM "$child" 2>/dev/null || true' INT TERM

# Without it, libarchive would look at /etc/localtime for every file in an archive.
export TZ=UTC

# Freed memory stays with the process between inputs, because asking the system again would take most of the time.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.trim_threshold=67108864:glibc.malloc.mmap_threshold=33554432}"

# The default quarantine of 256 MB for freed memory, with stacks of 30 calls, would take half of the time.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=4:malloc_context_size=5:detect_leaks=0}"

# sum NAME KIND: executions so far; KIND is fast, checked or a dot for both.
sum() { awk -v name="$1" -v kind="$2" '$1 == name && $2 ~ kind { n += $3 } END { printf "%d", n }' "$home/counts"; }

findings() { find "$home/findings" -name "$1-*" | wc -l; }

# table NAME...: prints what was done so far.
table() {
  local name line='%-16s %12s %16s %10s %12s %8s %9s\n'
  # shellcheck disable=SC2059
  printf "$line" target executions 'with sanitizers' 'a second' 'a s. w. san.' edges findings
  for name in "$@"; do
    # shellcheck disable=SC2059
    printf "$line" "$name" "$(sum "$name" .)" "$(sum "$name" checked)" "$(rate "$name" fast)" "$(rate "$name" checked)" \
      "$(awk -v name="$name" '$1 == name && $2 == "fast" && $5 > 0 { n = $5 } END { print n + 0 }' "$home/counts")" \
      "$(findings "$name")"
  done
}

# rate NAME KIND: executions in a second of the processor, over all legs.
rate() {
  awk -v name="$1" -v kind="$2" \
    '$1 == name && $2 == kind && $4 > 0 { n += $3; s += $4 } END { print (s > 0 ? int(n / s) : "-") }' "$home/counts"
}

# last_number EXPRESSION LOG: the last number in the log that the (Perl) expression finds; 0 where there is none.
last_number() { { grep -aoP "$1" "$2" || echo 0; } | tail -n 1; }

# children_seconds TIMES: seconds of processor time, from the second line of the output of the command `times`.
children_seconds() { awk -F '[ ms]' 'NR == 2 { print int($1 * 60 + $2 + $4 * 60 + $5) }' "$1"; }

# run_leg KIND NAME EXECUTIONS: runs a leg, and counts its executions even if it was stopped or found something.
run_leg() {
  local kind="$1" name="$2" executions="$3" programs="$fast" log status=0 before done_now
  [[ "$kind" == fast ]] || programs="$checked"
  log="$home/logs/$name.$kind.log"
  times >"$log.times"
  before="$(children_seconds "$log.times")"
  "$programs/${name}_fuzz" -runs="$executions" -max_len="$longest" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -print_funcs=0 -entropic=0 -artifact_prefix="$home/findings/$name-" "${flags[@]}" \
    "$home/corpus/$name" "$seeds/$name" >"$log" 2>&1 &
  child="$!"
  wait "$child" || status=$?
  # A signal ends the first wait before the program ends.
  if ((stopped)); then wait "$child" || true; fi
  times >"$log.times"
  done_now="$(last_number '^stat::number_of_executed_units: *\K\d+' "$log")"
  printf '%s %s %s %s %s\n' "$name" "$kind" "$done_now" \
    "$(($(children_seconds "$log.times") - before))" "$(last_number '^#\d+.* cov: \K\d+' "$log")" >>"$home/counts"
  if ((stopped)); then exit 130; fi
  # A program that succeeds without an execution would be started again for ever.
  ((status != 0 || done_now == 0)) || return 0
  tail -n 40 "$log" >&2
  return 1
}

# show_finding NAME: prints the report of the sanitizers on the input that ended a fast program.
show_finding() {
  local found
  found="$(grep -aoP 'Test unit written to \K.*' "$home/logs/$1.fast.log" | tail -n 1)"
  [[ -n "$found" ]] || return 0
  echo "the input is $found; under the sanitizers:" >&2
  "$checked/$1_fuzz" "$found" >&2 || true
}

# fuzz_target NAME: runs legs, each first fast and then under the sanitizers, which also run all inputs found so far.
fuzz_target() {
  local name="$1" goal now
  mkdir -p "$home/corpus/$name" "$seeds/$name"
  goal="$wanted"
  [[ "$how" == until ]] || goal=$((wanted + $(sum "$name" .)))
  while now=$((goal - $(sum "$name" .))) && ((now > 0)); do
    ((now < leg)) || now="$leg"
    run_leg fast "$name" $((now - now / share)) || { show_finding "$name" && return 1; }
    ((now < share)) || run_leg checked "$name" $((now / share)) || return 1
  done
}

mkdir -p "$home/corpus" "$home/findings" "$home/logs" "$home/locks"
touch "$home/counts"
found=0
(($# > 0)) || mapfile -t names < <(find "$fast" -maxdepth 1 -name '*_fuzz' -printf '%f\n' | sed 's/_fuzz$//' | sort)
(($# == 0)) || names=("$@")
if ((wanted > 0)); then
  for name in "${names[@]}"; do
    # The lock lets two terminals share the work.
    exec {lock}>"$home/locks/$name"
    if flock --nonblock "$lock"; then
      fuzz_target "$name" || found=1
      table "$name" | tail -n 1
    fi
    exec {lock}>&-
  done
fi
table "${names[@]}"
exit "$found"
