#!/usr/bin/env bash
# sanitized_python.sh BUILD ARGUMENT...: runs Python with the package of a build tree with sanitizers, and ends at their first
# finding. Leaks are not reported, because Python itself keeps memory to its end.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
build="$(realpath "$1")"
site="$build/site"
module=("$build"/python/inkling/_core.*.so)
if [[ "${module[0]}" -nt "$site/inkling/${module[0]##*/}" ]]; then
  rm -rf "$site"
  mkdir -p "$site"
  cp -r "$root/io/doors/python/inkling" "$site"
  cmake --install "$build" --component python --prefix "$site" >/dev/null
fi
# The sanitizer intercepts exceptions only if the C++ library is loaded from the start.
LD_PRELOAD="$(clang++-16 -print-file-name="libclang_rt.asan-$(uname -m).so"):$(g++ -print-file-name=libstdc++.so)"
export LD_PRELOAD
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export PYTHONPATH="$site"
exec "$root/build/python/bin/python" "${@:2}"
