#!/usr/bin/env bash
# picture.sh INKLING INKLING-BENCH FOLDER PICTURE: the page with a search of the demonstration, as a PNG or WebP picture.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/tools.sh"
program="$(realpath "$1")"
mkdir -p "$3"
folder="$(realpath "$3")"
get_tools "$folder"
"$2" demo --out "$folder" --readers 1 >"$folder/demo.log" # only its pool is needed
node "$here/picture.mjs" "$program" "$folder" "$chromium" "$(realpath "$4")"
