#!/usr/bin/env bash
# get_zig.sh: a compiler for other systems, from the package of PyPI that .ci/pip/zig.txt names, in build/zig: clang with libc++, and
# what the C library of macOS promises. Of each target, its tools by names of their own are in build/zig/tools.
set -euo pipefail
root="$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")"
zig="$root/build/zig"

# tool TARGET NAME ARGUMENT...: the program tools/TARGET-NAME is `zig NAME ARGUMENT...`.
tool() {
  printf '#!/bin/sh\nZIG_GLOBAL_CACHE_DIR=%q exec %q %s "$@"\n' "$zig/cache" "$compiler" "${*:2}" >"$zig/tools/$1-$2.new"
  chmod +x "$zig/tools/$1-$2.new"
  mv "$zig/tools/$1-$2.new" "$zig/tools/$1-$2"
}

[[ -x "$zig/bin/python" ]] || python3 -m venv "$zig"
"$zig/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$root/.ci/pip/zig.txt"
compiler="$("$zig/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')/zig"
mkdir -p "$zig/tools"
# The oldest system of each that programs run on.
while read -r target oldest; do
  for name in cc c++; do tool "$target" "$name" -target "$oldest"; done
  for name in ar ranlib; do tool "$target" "$name"; done
done <<'TABLE'
aarch64-macos aarch64-macos.13.0
x86_64-macos  x86_64-macos.13.0
x86_64-linux  x86_64-linux-gnu.2.28
TABLE
