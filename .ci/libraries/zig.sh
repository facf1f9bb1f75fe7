# For build.sh: the compilers of zig.
# shellcheck shell=bash disable=SC2034,SC2154 # build.sh reads what is set here, and sets what is read
"$here/get_zig.sh" || fail 'zig cannot be had'
tools="$root/build/zig/tools/$target"
cc=$tools-cc cxx=$tools-c++ ar=$tools-ar ranlib=$tools-ranlib
toolchain="$here/$target.cmake"
flags+=(-fPIC -ffp-contract=off -w)
libcxx="$(find "$root/build/zig/lib" -path '*/ziglang/lib/libcxx' -print -quit)" # a part of each program
install -D --mode 644 "$libcxx/LICENSE.TXT" "$prefix/licences/libc++.txt"
grep -qs '^libc++ ' "$prefix/libraries" || grep -oP '_LIBCPP_VERSION \K\d+' "$libcxx/include/__config" |
  sed -E 's/(..)(..)(..)/libc++ \1.\2.\3/; s/\.0/./g' >>"$prefix/libraries"
case "$target" in
  *-macos) host="${target%-macos}-apple-darwin" constants=.const tables=_icudt72_dat ;;
  x86_64-linux) host=x86_64-pc-linux-gnu constants='.section .rodata' tables=icudt72_dat ;;
  *) fail "unknown target '$target'" ;;
esac
