#!/usr/bin/env bash
# same_traces.sh PROGRAM OTHER: two builds of inkling-bench must write the same traces, to the byte, with every policy.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# All that there are, as the message about another name lists them.
policies="$("$1" simulate --policy '?' 2>&1 | sed -E 's/.* list of (.*), got .*/\1/; s/ or /,/; s/, /,/g' || true)"

# trace PROGRAM FILE OPTION...
trace() {
  local program="$1" file="$2"
  shift 2
  "$program" simulate --documents 2000 --features 300 --words 20 --zipf 1 --relevant 30 --noise 0.3 \
    --mark-probability 0.2 --rounds 400 --trials 4 --policy "$policies" --trace "$file" "$@" >/dev/null
}

for extra in --json --without-replacement; do
  trace "$2" "$folder/other" --threads 1 "$extra" &
  for threads in 1 2 8; do trace "$1" "$folder/one$threads" --threads "$threads" "$extra"; done
  wait "$!"
  for threads in 1 2 8; do cmp "$folder/one$threads" "$folder/other"; done
done
echo "$(wc -l <"$folder/other") rounds of every policy: the same bytes from both programs, at 1, 2 and 8 threads"
