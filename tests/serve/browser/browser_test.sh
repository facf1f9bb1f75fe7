#!/usr/bin/env bash
# browser_test.sh INKLING FOLDER [PART...]: tests the page in a real browser, all of it or these parts. Ends with 77, which means
# skipped, if there is none.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/tools.sh"
program="$(realpath "$1")"
mkdir -p "$2"
folder="$(realpath "$2")"
get_tools "$folder"

# Two parts at a time, because a browser mostly waits; both lines take about the same time.
run_parts() {
  local part failed=0
  for part in "$@"; do
    echo "== $part"
    node "$here/$part.mjs" "$program" "$folder" "$chromium" || failed=1
  done
  return "$failed"
}
if (($# > 2)); then
  run_parts "${@:3}"
  exit
fi
run_parts persons keys readers >"$folder/persons.log" 2>&1 &
failed=0
run_parts walk screens words quiet || failed=1
wait "$!" || failed=1
cat "$folder/persons.log"
exit "$failed"
