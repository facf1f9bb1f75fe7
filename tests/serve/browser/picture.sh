#!/usr/bin/env bash
# picture.sh INKLING FOLDER PICTURE: the page with a search of the demonstration, as a PNG or WebP picture.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/tools.sh"
program="$(realpath "$1")"
review="$here/../../../datasets/demo/Oud_2018.jsonl.gz"
mkdir -p "$2"
folder="$(realpath "$2")"
get_tools "$folder"
"$program" build "$review" --text-field title,abstract --label-field included --keep-text --force --out "$folder/pool" >/dev/null
node "$here/picture.mjs" "$program" "$folder" "$chromium" "$(realpath "$3")" "$review"
