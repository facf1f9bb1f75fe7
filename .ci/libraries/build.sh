#!/usr/bin/env bash
# build.sh TARGET: builds what Inkling links as static libraries for another system, from the sources of Debian 12, in
# build/TARGET-libraries/prefix. What is built already is skipped; the target's file for CMake finds the rest.
# Needs the packages gcc cmake ninja-build make patch tcl xz-utils bzip2, and what the target's compilers are in.
set -euo pipefail
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
root="$(realpath "$here/../..")"
target="$1"
prefix="$root/build/$target-libraries/prefix"
work="$root/build/$target-libraries/work"
downloads="$root/build/debian-sources" # of all targets
jobs="${JOBS:-$(nproc)}"
flags=(-O2 -DNDEBUG "-ffile-prefix-map=$work=.") # no path of this machine ends up in a program
fail() { echo "FAIL: $*" >&2 && exit 1; }

# Sets cc, cxx, ar, ranlib, host (as configure calls the target), toolchain, and for ICU's tables constants (where the assembler
# puts them) and tables (their symbol); adds to flags. Where `only` is set, that library alone is built.
only=''
case "$target" in
  windows) . "$here/mingw.sh" ;;
  tsan) . "$here/tsan.sh" ;;
  *) . "$here/zig.sh" ;;
esac

# Source package, version, SHA-256 of the original archive. Debian's patches come along in the revision that the mirror has,
# since an older one is not kept there: that is how corrections of security faults get in. `.deb`: headers alone, from the
# package itself.
sources() {
  cat <<'TABLE'
zlib       1.2.13.dfsg  71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
bzip2      1.0.8        ab5a03176ee106d3f0fa90e381da478ddae405918153cca248e682cd0c4a2269
xz-utils   5.4.1        5d9827aa1875b21c288f78864bb26d2650b436ea8d2cad364e4921eb6266a5a5
libzstd    1.5.4+dfsg2  8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
lz4        1.9.4        0b0e3aa07c8c063ddf40b082bdf7e37a1562bda40a0ff5272957f3e987e0e54b
libarchive 3.6.2        9e2c1b80d5fbe59b61308fdfab6c79b5021d7ff4ff2489fb12daf0a96a83551d
xxhash     0.8.1        3bb6b7d6f30c591dd65aaaff1c8b7a5b94d81687998ca9400082c739a690436c
nettle     3.8.1        364f3e2b77cd7dcde83fd7c45219c834e54b0c75e428b6f894a23d12dd41cbfe
sqlite3    3.40.1       aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655
fmtlib     9.1.0+ds1    84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583
simdjson   3.0.1        156b1bc5eb0561b2bd166b46d191fd3d95a3e709cc63761477d3b7aec2b6e9ed
doctest    2.4.9~ds     7cc78169975bea36e70ab9d67e7de9b03d89b38653499ad03243e3944429b1ab
robin-map-dev.deb 1.2.1 11b988a540a1089df540db7111a5dba820954f867f2beead0c2b62ae3297fd64
boost1.74  1.74.0+ds1   192f5df504d282cb81288f88232d8af45b64a9ab531e1c7cf8ae955f16f6bb28
onetbb     2021.8.0     7e9111b8bb59c8800bf6d0b06afe7b0891937443d2dae1ee1101c8e2ede6a7ef
icu        72.1         a2d2d38217092a7ed56635e34467f92f976b370e20182ad325edea6681a71d68
TABLE
}

# apt TOOL ARGUMENT...: apt-TOOL with the machine's own list of Debian's packages, and its sources, in folders of our own.
apt() {
  local apt="$downloads/apt" file
  if [[ ! -d "$apt" ]]; then
    mkdir -p "$apt.new/parts" "$apt.new/lists/partial" "$apt.new/cache/archives/partial"
    for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
      [[ ! -e "$file" ]] || sed -E 's/^Types:.*/Types: deb deb-src/; s/^deb (.*)/deb \1\ndeb-src \1/' "$file" >"$apt.new/parts/${file##*/}"
    done
    touch "$apt.new/empty.list"
    mv "$apt.new" "$apt"
    apt get update
  fi
  "apt-$1" -qq -o "Dir::Etc::sourcelist=$apt/empty.list" -o "Dir::Etc::sourceparts=$apt/parts" -o "Dir::State::lists=$apt/lists" \
    -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root "${@:2}"
}

# get_source NAME: in the newest revision that the mirror has. It may list one that it does not have yet.
get_source() {
  local revision
  while read -r revision; do
    apt get source --only-source --download-only "$1=$revision" </dev/null && return
    rm -f ./*
  done < <(apt cache showsrc "$1" | awk '$1 == "Version:" { print $2 }' | sort --version-sort --reverse --unique)
  return 1
}

# fetch NAME VERSION SUM: its files in a folder of their own; $archive is the original one.
fetch() {
  local folder="$downloads/$1" pattern="$1_$2.orig.tar.*[a-z2]" get=(get_source "$1")
  [[ "$1" != *.deb ]] || pattern="${1%.deb}_$2-*.deb" get=(apt get download "${1%.deb}")
  archive="$(find "$folder" -name "$pattern" ! -name '*.asc' 2>/dev/null || true)"
  if [[ -z "$archive" ]]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && "${get[@]}")
    archive="$(find "$folder" -name "$pattern" ! -name '*.asc')"
    [[ -n "$archive" ]] || fail "$1: version $2 is not what Debian has; it has $(ls "$folder")"
  fi
  echo "$3  $archive" | sha256sum --check --quiet || fail "$1: not the archive that is expected"
}

# unpack NAME: $archive with Debian's patches, as the working folder.
unpack() {
  local name
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1/source"
  cd "$work/$1/source"
  if [[ "$1" == *.deb ]]; then
    dpkg-deb --extract "$archive" .
    return
  fi
  tar --extract --file "$archive" --strip-components 1
  tar --extract --file "$(find "${archive%/*}" -name '*.debian.tar.*')" debian/patches 2>/dev/null || return 0 # has none
  while read -r name _; do
    [[ -z "$name" || "$name" == \#* ]] || patch --quiet --strip 1 --input "debian/patches/$name"
  done <debian/patches/series
  find . -type f -exec touch --reference "$archive" {} + # so that no patched file calls for autoconf
}

# licence NAME: what Debian says of it, from what was fetched: it belongs to every program that holds the library. Then the list
# of libraries has its revision.
licence() {
  local name="${1%.deb}"
  ! grep -qs "^$name " "$prefix/libraries" || return 0
  fetch "$@"
  mkdir -p "$prefix/licences"
  if [[ "$1" == *.deb ]]; then
    dpkg-deb --fsys-tarfile "$archive" | tar --extract --to-stdout "./usr/share/doc/$name/copyright" >"$prefix/licences/$name.txt"
  else
    tar --extract --to-stdout --file "$(find "${archive%/*}" -name '*.debian.tar.*')" debian/copyright >"$prefix/licences/$name.txt"
  fi
  find "${archive%/*}" -type f -name '*.d[se][cb]' | sed -E "s,.*/[^_/]*_([^_]*)(\.dsc|_[^_]*\.deb)$,$name \1," >>"$prefix/libraries"
}

# compile LIBRARY SOURCE... [-- FLAG...]: libLIBRARY.a in the prefix, for libraries that need no more than a compiler.
compile() {
  local library="$1" files=() compiler="$cc"
  shift
  while (($# > 0)) && [[ "$1" != -- ]]; do
    files+=("$1")
    shift
  done
  [[ "${files[0]}" != *.cpp ]] || compiler="$cxx"
  mkdir objects
  # shellcheck disable=SC2016 # which the inner shell expands
  printf '%s\n' "${files[@]}" | xargs -P "$jobs" -I{} sh -c 'file="$1" && shift && "$@" -c "$file" -o "objects/$(basename "$file").o"' \
    sh {} "$compiler" "${flags[@]}" "${@:2}"
  "$ar" rcs "$prefix/lib/lib$library.a" objects/*.o
}

# configure_by_cmake OPTION...: the working folder, in ../build. by_cmake OPTION...: builds and installs all of it, too.
configure_by_cmake() {
  cmake -S . -B ../build -G Ninja --toolchain "$toolchain" --log-level=WARNING -Wno-dev -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
    -DCMAKE_C_FLAGS="${flags[*]}" -DCMAKE_CXX_FLAGS="${flags[*]}" "$@"
}

by_cmake() {
  configure_by_cmake "$@"
  cmake --build ../build --parallel "$jobs"
  cmake --install ../build >/dev/null
}

# package NAME: a CMake package of ours, for a library that has none, or none that knows of static libraries.
package() { install -D --mode 644 --target-directory "$prefix/lib/cmake/$1" "$here/packages/$1"*.cmake; }

build_zlib() {
  compile z ./*.c -- -DHAVE_UNISTD_H -Dfdopen=fdopen # which it takes for missing in macOS
  cp zlib.h zconf.h "$prefix/include"
}

build_bzip2() {
  compile bz2 {blocksort,huffman,crctable,randtable,compress,decompress,bzlib}.c
  cp bzlib.h "$prefix/include"
}

build_xz-utils() {
  configure_by_cmake -DCREATE_{XZ,LZMA}_SYMLINKS=OFF
  cmake --build ../build --parallel "$jobs" --target liblzma
  cmake --install ../build --component liblzma_Development >/dev/null
  rm -r "$prefix/lib/cmake/liblzma" # which does not set the variables that libarchive asks for
}

build_libzstd() {
  compile zstd lib/{common,compress,decompress,dictBuilder}/*.c -- -DXXH_NAMESPACE=ZSTD_ -DZSTD_DISABLE_ASM
  cp lib/*.h "$prefix/include"
}

build_lz4() {
  compile lz4 lib/*.c -- -DXXH_NAMESPACE=LZ4_
  cp lib/lz4*.h "$prefix/include"
}

build_libarchive() {
  flags+=(-DLZMA_API_STATIC)
  configure_by_cmake -DENABLE_{OPENSSL,LIBB2,LIBXML2,EXPAT,PCREPOSIX,CNG,ICONV,ACL,XATTR,TAR,CPIO,CAT,TEST}=OFF
  cmake --build ../build --parallel "$jobs" --target archive_static
  cp ../build/libarchive/libarchive*.a "$prefix/lib/libarchive.a" # libarchive_static on Windows
  cp libarchive/archive{,_entry}.h "$prefix/include"
  package LibArchive
}

build_xxhash() {
  compile xxhash xxhash.c
  cp xxhash.h xxh3.h "$prefix/include"
}

build_nettle() {
  ./configure --quiet --host="$host" CC="$cc" AR="$ar" RANLIB="$ranlib" CFLAGS="${flags[*]}" --prefix="$prefix" --libdir="$prefix/lib" \
    --disable-shared --disable-public-key --disable-assembler --disable-openssl --disable-documentation
  make --silent -j"$jobs" CFLAGS="${flags[*]}" libnettle.a # without the debug information that configure adds
  make --silent install-headers install-static
}

build_sqlite3() {
  mkdir native
  (cd native && ../configure --quiet && make --silent sqlite3.c) # all of its sources in one file, which tclsh writes
  # What Debian's own is compiled with, so that the same databases can be read; without loading of other code.
  compile sqlite3 native/sqlite3.c -- -fno-strict-aliasing -DSQLITE_THREADSAFE=1 -DSQLITE_SECURE_DELETE -DSQLITE_SOUNDEX=1 \
    -DSQLITE_ENABLE_{COLUMN_METADATA,FTS3,FTS3_PARENTHESIS,FTS4,FTS5,RTREE,DBSTAT_VTAB,STMTVTAB,UNLOCK_NOTIFY,PREUPDATE_HOOK,SESSION} \
    -DSQLITE_ENABLE_FTS3_TOKENIZER=1 -DSQLITE_OMIT_LOOKASIDE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ALLOW_ROWID_IN_VIEW \
    -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_USE_URI=1 -DSQLITE_MAX_SCHEMA_RETRY=25 -DSQLITE_MAX_VARIABLE_NUMBER=250000
  cp native/sqlite3.h src/sqlite3ext.h "$prefix/include"
}

build_fmtlib() { by_cmake -DFMT_TEST=OFF -DFMT_DOC=OFF; }

build_simdjson() { by_cmake -DSIMDJSON_DEVELOPER_MODE=OFF; }

build_doctest() {
  by_cmake -DDOCTEST_WITH_TESTS=OFF
  sed -i 's/\<DBL_EPSILON/__&__/g' "$prefix/include/doctest/doctest.h" # zig's float.h for macOS has only infinity after math.h
}

build_robin-map-dev.deb() { cp -r usr/include usr/share "$prefix"; }

build_boost1.74() {
  local library
  for library in libs/*/include libs/numeric/*/include; do cp --recursive --link --force "$library" "$prefix"; done
  compile boost_program_options libs/program_options/src/*.cpp -- -std=c++17 -isystem "$prefix/include" -DBOOST_ALL_NO_LIB -DBOOST_NO_CXX98_FUNCTION_BASE
  package Boost
}

build_onetbb() { by_cmake -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBB_ENABLE_IPO=OFF -DTBBMALLOC_BUILD=OFF -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON; }

# Only ICU's tables are made by its tools, and the archive of the sources holds them ready for little-endian machines. Those that we
# ask for are a sixth of them.
build_icu() {
  local part
  mkdir -p ../native/config ../build/lib
  touch ../native/config/icucross.{mk,inc} # instead of a native build
  # What it takes from Apple's header, which zig has not.
  printf '#define TZDIR "/usr/share/zoneinfo"\n#define TZDEFAULT "/etc/localtime"\n' >source/common/tzfile.h
  cd ../build
  CC="$cc" CXX="$cxx" AR="$ar" RANLIB="$ranlib" CFLAGS="${flags[*]}" CXXFLAGS="${flags[*]}" \
    ../source/source/configure --quiet --host="$host" --with-cross-build="$work/icu/native" --prefix="$prefix" --libdir="$prefix/lib" \
    --enable-static --disable-{shared,dyload,tools,tests,samples,extras,icuio,layoutex}
  for part in common i18n; do
    make --silent -j"$jobs" -C $part
    make --silent -C $part install
  done
  python3 "$root/.ci/release/lean.py" ../source/source/data/in/icudt72l.dat >tables.dat
  printf '%s\n.balign 16\n.globl %s\n%s:\n.incbin "tables.dat"\n' "$constants" "$tables" "$tables" |
    "$cc" -x assembler -c - -o tables.o
  "$ar" rcs "$prefix/lib/libicudt.a" tables.o
  package ICU
}

mkdir -p "$prefix"/{include,lib} "$work/stamps"
sources | while read -r name version sum; do
  [[ -z "$only" || "$name" == "$only" ]] || continue
  licence "$name" "$version" "$sum" </dev/null
  # Built is what has this version and was built in this way.
  stamp="$version $(declare -f "build_$name" compile by_cmake configure_by_cmake | sha256sum | cut -c 1-16)"
  [[ "$(cat "$work/stamps/$name" 2>/dev/null)" != "$stamp" ]] || continue
  start="$SECONDS"
  trap 'fail "$name $version: $(tail -n 30 "$work/$name.log")"' ERR # not `( ) || fail`, within which -e would not hold
  (
    fetch "$name" "$version" "$sum"
    unpack "$name"
    "build_$name"
  ) >"$work/$name.log" 2>&1 </dev/null
  trap - ERR
  rm -rf "${work:?}/$name"
  echo "$stamp" >"$work/stamps/$name"
  echo "==> $name $version: $((SECONDS - start)) s"
done
