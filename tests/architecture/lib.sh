# The list of files that the lints look at. This file is sourced, never run.
# shellcheck shell=bash

# list_files ROOT: every file that is, or could be, committed, one path a line, relative to ROOT.
list_files() {
  (
    cd "$1" || exit
    if [[ "$(git rev-parse --show-toplevel 2>/dev/null)" == "$PWD" ]]; then
      git ls-files --cached --others --exclude-standard --deduplicate
    else # an unpacked archive
      find . -path ./build -prune -o -path ./.git -prune -o -type f -printf '%P\n'
    fi | while read -r file; do [[ ! -e "$file" ]] || printf '%s\n' "$file"; done
  )
}
