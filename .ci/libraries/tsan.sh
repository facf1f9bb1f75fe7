# For build.sh: clang 16 with ThreadSanitizer, for this machine. Only TBB synchronises our threads.
# shellcheck shell=bash disable=SC2034,SC2154 # build.sh reads what is set here, and sets what is read
only=onetbb
cc=clang-16 cxx=clang++-16
toolchain="$here/tsan.cmake"
flags+=(-fsanitize=thread -g1 -w)
