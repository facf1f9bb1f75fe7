#!/usr/bin/env bash
# browser_test.sh INKLING FOLDER: the page in a real browser. Ends with 77, which means skipped, where one cannot be had.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/tools.sh"
program="$(realpath "$1")"
mkdir -p "$2"
folder="$(realpath "$2")"
get_tools "$folder"

failed=0
for part in walk keys readers screens; do
  echo "== $part"
  node "$here/$part.mjs" "$program" "$folder" "$chromium" || failed=1
done
exit "$failed"
