# For build.sh: the compilers of MinGW-w64, from the package g++-mingw-w64-x86-64-posix.
# shellcheck shell=bash disable=SC2034,SC2154 # build.sh reads what is set here, and sets what is read
host=x86_64-w64-mingw32
cc=$host-gcc-posix cxx=$host-g++-posix ar=$host-gcc-ar-posix ranlib=$host-gcc-ranlib-posix
toolchain="$root/.ci/windows/toolchain.cmake"
flags+=("-Wa,-muse-unaligned-vector-move") # as in the toolchain
constants='.section .rdata,"dr"' tables=icudt72_dat
