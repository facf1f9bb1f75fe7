#!/usr/bin/env bash
# check.sh CMAKE BUILD_TREE COMPILER: builds and runs example/ in the two ways in which a project can use the engine:
# installed from this build tree, and by add_subdirectory().
set -euo pipefail
cmake="$1" build_tree="$2" compiler="$3"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# try_example NAME CMAKE_ARGUMENT...
try_example() {
  local build="$scratch/$1"
  "$cmake" -S "$here/example" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_UNITY_BUILD=ON "${@:2}"
  "$cmake" --build "$build"
  "$build/example"
}

"$cmake" --install "$build_tree" --prefix "$scratch/installed" >/dev/null
try_example installed -DCMAKE_PREFIX_PATH="$scratch/installed"
for private in bench io engine/model/dense_kernels.hpp; do
  [[ ! -e "$scratch/installed/include/inkling/$private" ]] || { echo "FAIL: $private is installed" && exit 1; }
done

try_example subdirectory -DINKLING_SOURCES="$here/../.."
if grep -E '^(fmt_DIR|simdjson_DIR|INKLING_IO:BOOL=ON)' "$scratch/subdirectory/CMakeCache.txt"; then
  echo 'FAIL: a project that takes the engine by add_subdirectory() should need CHOLMOD and TBB only' && exit 1
fi
