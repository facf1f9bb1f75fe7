#!/usr/bin/env bash
# This file is sourced. It finds a browser and what drives it, or ends with 77, which means skipped, and the reason.
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

skip() {
  echo "skipped: $*"
  exit 77
}

# get_tools FOLDER: sets `chromium`, and puts playwright-core and axe-core into the folder.
get_tools() {
  # shellcheck disable=SC2034 # for the script that sources this
  chromium="$(command -v chromium || command -v chromium-browser || command -v google-chrome)" ||
    skip 'no Chromium (package chromium)'
  command -v node >/dev/null || skip 'no node (package nodejs)'
  command -v npm >/dev/null || skip 'no npm (package npm)'
  mkdir -p "$1"
  # Files that are already there need no network.
  if ! cmp -s "$here/package-lock.json" "$1/package-lock.json" || [[ ! -d "$1/node_modules/axe-core" ]]; then
    cp "$here/package.json" "$1"
    cp "$here/package-lock.json" "$1/package-lock.json.new"
    mv "$1/package-lock.json.new" "$1/package-lock.json"
    npm ci --prefix "$1" --no-audit --no-fund --loglevel=error >"$1/npm.log" 2>&1 || {
      rm -f "$1/package-lock.json"
      skip "npm cannot get playwright-core and axe-core: $(tail -n 1 "$1/npm.log")"
    }
  fi
}
