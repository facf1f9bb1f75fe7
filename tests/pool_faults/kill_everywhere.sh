#!/usr/bin/env bash
# kill_everywhere.sh PROGRAM: kills `PROGRAM build` at every write, fsync, rename and so on, and makes each of them fail.
# After each of these faults the target must be the old pool or the whole new one, and the next build must leave nothing
# of the failed one behind. Exit 77 (skipped) where strace is not installed or may not trace.
set -euo pipefail

program="$(realpath "$1")"
skip() { echo "skipped: $*" && exit 77; }
command -v strace >/dev/null || skip 'strace is not installed'
strace -f -o /dev/null true 2>/dev/null || skip 'strace may not trace here'

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'the quick brown fox\njumps over\n\nthe lazy dog\n' >old.txt
printf 'pack my box with\nfive dozen liquor jugs\nthe end\n' >new.txt

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  tail -5 said.txt >&2 || true
  exit 1
}

# One thread, because strace counts the calls of each thread separately.
build() { "$program" build "$1" --format lines --threads 1 --out "$2" >said.txt 2>&1; }

# traced FILE STRACE_ARGUMENT...: a build of FILE as pool under strace; its exit code is in $code.
traced() {
  local file="$1"
  shift
  code=0
  { strace -f -o trace.txt "$@" "$program" build "$file" --format lines --threads 1 --out pool >said.txt 2>&1; } \
    2>/dev/null || code=$?
}

is_same() { diff -rq "$1" "$2" >/dev/null 2>&1; }

# restore PREVIOUS: the target is as it was before: the pool PREVIOUS, or none.
restore() {
  rm -rf pool pool.partial-*
  [[ "$1" == none ]] || cp -r "$1" pool
}

# check_target PREVIOUS: the target is what it was or the whole new pool, and verifies.
check_target() {
  if [[ -e pool ]]; then
    "$program" verify pool >said.txt 2>&1 || fail "$what: the pool does not verify"
    is_same pool new || { [[ "$1" != none ]] && is_same pool "$1"; } || fail "$what: the pool is neither old nor new"
  elif [[ "$1" != none ]]; then
    fail "$what: the old pool is gone"
  fi
}

# check_next_build: the next build works as usual and removes what the failed build left.
check_next_build() {
  build new.txt pool || fail "$what: the next build fails"
  is_same pool new || fail "$what: the next build makes another pool"
  [[ -z "$(compgen -G 'pool.partial-*')" ]] || fail "$what: files of the failed build are left"
}

# kill_at CALLS PREVIOUS: kills the build at the first, second, third ... of these calls until it runs to its end.
kill_at() {
  local calls="$1" previous="$2" n=0
  code=137
  while ((code == 137)); do
    n=$((n + 1))
    what="killed at call $n of $calls over $previous"
    restore "$previous"
    traced new.txt -e "trace=$calls" -e "inject=$calls:signal=SIGKILL:when=$n"
    ((code == 137 || code == 0)) || fail "$what: exit code $code"
    check_target "$previous"
    check_next_build
  done
  echo "killed at each of $((n - 1)) calls of $calls over $previous"
  cycles=$((cycles + n - 1))
}

# fail_at CALLS ERROR WHEN PREVIOUS: the calls fail from the first, second ... on (WHEN '+') or once (WHEN ''). A build
# that reports a failure leaves the old pool, except where only its last message could not be written.
fail_at() {
  local calls="$1" error="$2" when="$3" previous="$4" n=0
  echo INJECTED >trace.txt
  while grep -q INJECTED trace.txt; do
    n=$((n + 1))
    what="$error at call $n$when of $calls over $previous"
    restore "$previous"
    traced new.txt -e "trace=$calls" -e "inject=$calls:error=$error:when=$n$when"
    ((code == 0 || code == 4)) || fail "$what: exit code $code"
    check_target "$previous"
    ((code == 4)) || is_same pool new || fail "$what: exit code 0 without the new pool"
    [[ -z "$(compgen -G 'pool.partial-*')" ]] || fail "$what: files of the failed build are left"
    check_next_build
  done
  echo "$error at each of $((n - 1)) calls of $calls over $previous"
  cycles=$((cycles + n - 1))
}

cycles=0
build old.txt old || fail 'a build without a fault fails'
build new.txt new || fail 'a build without a fault fails'
renames='?rename,?renameat,?renameat2'
for previous in old none; do
  for calls in write '?pwrite64' fsync "$renames" '?mkdir,?mkdirat,?unlink,?unlinkat,?rmdir'; do
    kill_at "$calls" "$previous"
  done
  fail_at write ENOSPC + "$previous"
  fail_at '?pwrite64' ENOSPC + "$previous"
  fail_at fsync EIO '' "$previous"
  fail_at "$renames" EIO '' "$previous"
done
((cycles > 50)) || fail "only $cycles faults were injected"
echo "$cycles faults, each survived"
