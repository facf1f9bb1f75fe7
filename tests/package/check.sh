#!/usr/bin/env bash
# check.sh CMAKE BUILD_TREE COMPILER: installs the build into an empty folder and uses it from there.
set -euo pipefail
cmake="$1" build_tree="$2" compiler="$3"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

"$cmake" --install "$build_tree" --prefix "$scratch/installed" >/dev/null
"$cmake" -S "$here/consumer" -B "$scratch/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$scratch/installed" -DCMAKE_CXX_COMPILER="$compiler"
"$cmake" --build "$scratch/build"
"$scratch/build/consumer"
