#!/usr/bin/env bash
# make.sh OUT: all packages of the last commit, and nothing else, in the folder OUT. README.md beside it says which.
set -euo pipefail
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
root="$(realpath "$here/../..")"
out="$(realpath -m "$1")"
work="$root/build/release-work"
jobs="$(nproc)"

say() { printf -- '--> %s\n' "$*"; }
fail() { echo "FAIL: $*" >&2 && exit 1; }

# find_python VERSION...: the first of these that is in a folder of $INKLING_PYTHONS or of $PATH, and runs.
find_python() {
  local version found
  for version in "$@"; do
    found="$(PATH="${INKLING_PYTHONS:+$INKLING_PYTHONS:}$PATH" type -P "python3.$version")" || continue
    if "$found" -c '' 2>/dev/null; then echo "$found" && return; fi
  done
  return 1
}

# environment PYTHON: with what wheels are made by, each at the version and with the hash in .ci/pip/release.txt.
environment() {
  local made
  made="$work/$(basename "$1")"
  [[ -x "$made/bin/auditwheel" ]] || {
    "$1" -m venv --clear "$made" &&
      "$made/bin/pip" install --quiet --no-deps --require-hashes -r "$root/.ci/pip/release.txt"
  } >&2 || return
  echo "$made/bin/python"
}

# build_wheel PYTHON DEFINITION...: in the same folders for every Python, so that a cache of the compiler knows what was compiled.
build_wheel() {
  local python="$1"
  shift
  rm -rf "$work/tree" "$work/wheel"
  "$python" -m pip wheel "$source" --quiet --no-build-isolation --no-deps --wheel-dir "$work/wheel" \
    --config-settings=build-dir="$work/tree" "${@/#/--config-settings=cmake.define.}"
}

make_wheel() {
  build_wheel "$1"
  "$1" "$here/wheel.py" "$work"/wheel/*.whl "$out"
}

# make_older_wheel PYTHON: for systems whose C library is older than this one's, without CHOLMOD, by zig.
make_older_wheel() {
  local libraries="$root/.ci/libraries"
  build_wheel "$1" CMAKE_TOOLCHAIN_FILE="$libraries/x86_64-linux.cmake" INKLING_CHOLMOD=OFF
  "$1" "$here/wheel.py" "$work"/wheel/*.whl "$out" "$root/build/x86_64-linux-libraries/prefix"
}

make_debian_packages() {
  cmake -S "$source" --preset release -DINKLING_MICRO=OFF --log-level=WARNING >/dev/null
  (cd "$source" && cmake --build --preset release --parallel "$jobs")
  (cd "$source/build/release" && cpack -G DEB -B "$work/deb" -D CPACK_DEBIAN_COMPRESSION_TYPE=xz >/dev/null)
  mv "$work"/deb/*.deb "$out"
}

# make_image: where a program that makes images can be had. With INKLING_IMAGE=required it is an error where none can.
make_image() {
  local tool
  for tool in podman buildah; do
    command -v "$tool" >/dev/null || continue
    "$tool" build --timestamp "$SOURCE_DATE_EPOCH" --tag "inkling:$version" --file "$here/Containerfile" "$out" &&
      "$tool" push "inkling:$version" "oci-archive:$out/inkling-$version-$machine.oci.tar" && return
  done
  [[ "${INKLING_IMAGE:-}" != required ]] || fail 'the image was not made'
  say 'not made: the image; it needs podman or buildah, and an image of Debian'
}

cd "$root"
if [[ "${INKLING_IMAGE:-}" == required ]]; then type -P podman buildah >/dev/null || fail 'the image needs podman or buildah'; fi
[[ -z "$(git status --porcelain)" ]] || say 'What is not committed is in no package.'
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8
umask 022
machine="$(dpkg --print-architecture)" # what is for one kind of machine has it in its name
version="$(grep -oP 'project\(inkling VERSION \K[0-9.]+' CMakeLists.txt)"
sums="$work/$(git rev-parse HEAD)" # of an earlier run for this commit
rm -rf "$out" "$work/source" "$work/deb" "$work/inkling_search-$version"
mkdir -p "$out" "$work/source"

say 'the source archive'
found="$(find_python 12 13 14 11 10)" || fail "no Python of 3.10 to 3.14 was found in \$INKLING_PYTHONS or \$PATH"
python="$(environment "$found")"
git archive HEAD | tar -x -C "$work/source"
(cd "$work/source" && "$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$out" >/dev/null)
tar -xf "$out/inkling_search-$version.tar.gz" -C "$work"
source="$work/inkling_search-$version" # everything else is made of it

has_zig=''
if [[ "$machine" == amd64 ]] && "$root/.ci/libraries/get_zig.sh"; then
  say 'libraries for systems with glibc 2.28 (minutes, once)'
  "$root/.ci/libraries/build.sh" x86_64-linux
  has_zig=yes
else
  say 'not made: wheels for systems with glibc 2.28; they need zig, and a processor of this kind'
fi

say 'Debian packages'
make_debian_packages
for versions in 10 11 '12 13 14'; do
  # shellcheck disable=SC2086 # several versions are several words
  if found="$(find_python $versions)"; then
    say "the wheel by $(basename "$found")"
    python="$(environment "$found")"
    make_wheel "$python"
    [[ -z "$has_zig" ]] || make_older_wheel "$python"
  else
    say "not made: the wheel for Python 3.${versions%% *}, which was not found in \$INKLING_PYTHONS or \$PATH"
  fi
done

say 'bills of materials'
"$python" "$here/bill.py" "$version" "$source"/build/inkling{,-bench} >"$out/inkling_${version}_$machine.deb.cdx.json"
wheel="$(find "$out" -name '*.whl' -print -quit)" # all hold the same libraries
[[ -z "$wheel" ]] || unzip -p "$wheel" '*/sboms/inkling.cdx.json' >"$out/inkling_${version}_$machine.whl.cdx.json"
make_image
cd "$out"
sha256sum -- * >"$work/SHA256SUMS"
[[ ! -f "$sums" ]] || diff <(grep -v '\.oci\.tar$' "$sums") <(grep -v '\.oci\.tar$' "$work/SHA256SUMS") || fail 'the same commit gave other bytes than before'
cp "$work/SHA256SUMS" "$sums"
mv "$work/SHA256SUMS" .
say "made in $out:"
du -ha --apparent-size -- *
