#!/usr/bin/env bash
# check.sh CMAKE BUILD_TREE COMPILER: installs this build tree, checks the installed files, builds and runs example/ with them
# and by add_subdirectory(), and checks the Debian packages.
set -euo pipefail
cmake="$1" build_tree="$2" compiler="$3"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

fail() { echo "FAIL: $1" && exit 1; }

# try_example NAME CMAKE_ARGUMENT...
try_example() {
  local build="$scratch/$1"
  "$cmake" -S "$here/example" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_UNITY_BUILD=ON "${@:2}"
  "$cmake" --build "$build"
  "$build/example"
  "$build/own_policy"
}

installed="$scratch/usr"
"$cmake" --install "$build_tree" --prefix "$installed" >/dev/null
try_example with_package -DCMAKE_PREFIX_PATH="$installed"
for private in bench io/base io/search/session io/parts io/doors engine/policy/presets.hpp engine/model/dense_kernels.hpp; do
  [[ ! -e "$installed/include/inkling/$private" ]] || fail "$private is installed"
done

# All installed headers are meant to be used: they must be few and short enough to read.
face="$("$here/face.sh" "$installed/include")" || fail "$face"
echo "$face"

"$installed/bin/inkling" build "$here/../../datasets/tiny/documents.jsonl" --out "$scratch/tiny" 2>/dev/null
said="$("$scratch/with_package/open_pool" "$scratch/tiny")"
[[ "$said" == '20 documents, '*' features, '* ]] || fail "open_pool said: $said"

said="$("$scratch/with_package/kept_search" "$scratch/tiny" "$scratch/kept.search")"
[[ "$said" == '3 answers, '* ]] || fail "kept_search said: $said"
"$installed/bin/inkling" sessions --searches "$scratch/kept.search" | grep -q '^search .*' || fail 'inkling cannot read that search'

said="$("$scratch/with_package/from_texts" "$scratch/texts")"
[[ "$said" == '2 of 4 rated, 1 good; c: '*' by 1 word' ]] || fail "from_texts said: $said"

# by_pkg_config PACKAGE PROGRAM ARGUMENT...: builds a program of the example without CMake, and runs it.
by_pkg_config() {
  local flags
  read -ra flags <<<"$(pkg-config --cflags --libs --static "$1")"
  "$compiler" -std=c++20 "$here/example/$2.cpp" -o "$scratch/$2" "${flags[@]}" || fail "pkg-config $1 does not build $2"
  "$scratch/$2" "${@:3}" || fail "$2 is built by pkg-config and fails"
}
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH="$(find "$installed/lib" -name pkgconfig)"
  export PKG_CONFIG_PATH
  by_pkg_config inkling own_policy
  by_pkg_config inkling-io from_texts "$scratch/more"
fi

# A man page for each program and each of its commands, and completions for three shells.
for program in inkling inkling-bench; do
  for file in "share/man/man1/$program.1" "share/bash-completion/completions/$program" \
    "share/zsh/site-functions/_$program" "share/fish/vendor_completions.d/$program.fish"; do
    [[ -s "$installed/$file" ]] || fail "$file is not installed"
  done
  commands="$("$installed/bin/$program" help | sed -n 's/^  \([a-z]\+\)  .*/\1/p' | grep -vx help)"
  [[ "$program" == inkling-bench ]] ||
    commands+=" $("$installed/bin/$program" parts | sed -n 's/^  \([a-z-]\+\)  .*/parts-\1/p')"
  (($(wc -w <<<"$commands") >= 6)) || fail "$program help lists no commands"
  for command in $commands; do
    [[ -s "$installed/share/man/man1/$program-$command.1" ]] || fail "$program $command has no man page"
  done
  bash -n "$installed/share/bash-completion/completions/$program"
  ! command -v zsh >/dev/null || zsh -n "$installed/share/zsh/site-functions/_$program"
  ! command -v fish >/dev/null || fish -n "$installed/share/fish/vendor_completions.d/$program.fish"
done
if command -v man >/dev/null && command -v groff >/dev/null; then
  for page in "$installed"/share/man/man1/*.1; do
    warnings="$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)"
    [[ -z "$warnings" ]] || fail "$page: $warnings"
  done
fi
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$installed"/share/man/man1/*.1 || fail 'mandoc has warnings'
fi

try_example subdirectory -DINKLING_SOURCES="$here/../.." -DCMAKE_CXX_FLAGS_RELEASE=-O0
if grep -E '^(fmt_DIR|simdjson_DIR|INKLING_IO:BOOL=ON)' "$scratch/subdirectory/CMakeCache.txt"; then
  fail 'a project that takes the engine by add_subdirectory() should need CHOLMOD and TBB only'
fi

# The programs in one Debian package, libraries and headers in another.
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  (cd "$scratch" && "$(dirname "$cmake")/cpack" --config "$build_tree/CPackConfig.cmake" -G DEB -B "$scratch/deb" \
    -D CPACK_DEBIAN_COMPRESSION_TYPE=zstd >/dev/null)
  programs="$(dpkg-deb --contents "$scratch"/deb/inkling_*.deb)"
  libraries="$(dpkg-deb --contents "$scratch"/deb/libinkling-dev_*.deb)"
  for file in bin/inkling bin/inkling-bench share/man/man1/inkling-build.1 share/doc/inkling/copyright \
    share/inkling/bench/report/draw share/inkling/datasets/demo/Oud_2018.jsonl.gz share/zsh/vendor-completions/_inkling; do
    grep -q " \./usr/$file\$" <<<"$programs" || fail "the package inkling lacks $file"
  done
  for file in libinkling_engine.a libinkling_io_base.a libinkling_io_corpus.a libinkling_io_search.a cmake/inkling/inklingConfig.cmake; do
    grep -q "/$file\$" <<<"$libraries" || fail "the package libinkling-dev lacks $file"
  done
  grep -q ' \./usr/include/inkling/search.hpp$' <<<"$libraries" || fail 'libinkling-dev lacks search.hpp'
  ! grep -qE '\.a$|\.hpp$' <<<"$programs" || fail 'the package inkling holds libraries'
  dpkg-deb --field "$scratch"/deb/inkling_*.deb Depends | grep -q 'libcholmod' || fail 'inkling depends on no libcholmod'
  dpkg-deb --field "$scratch"/deb/libinkling-dev_*.deb Depends | grep -q 'libfmt-dev' || fail 'libinkling-dev needs libfmt-dev'
fi
