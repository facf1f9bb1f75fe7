#!/usr/bin/env bash
# check.sh ROOT: checks that the tree keeps the rules of the architecture. It prints each violation as
# "file:line: rule" and fails when there is one.
set -euo pipefail
root="$(realpath "$1")"
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
source "$here/lib.sh"

files="$(list_files "$root")"
cd "$root"
violations=0

# files_in PATTERN: the files whose path matches the extended regular expression.
files_in() { grep -E "$1" <<<"$files" || true; }

report() {
  printf '%s\n' "$1"
  violations=$((violations + 1))
}

# forbid RULE FILES EXPRESSION: no line of FILES may match the (Perl) expression.
forbid() {
  local rule="$1" where="$2" expression="$3" hit
  while IFS= read -r hit; do
    report "${hit%%:*}:$(cut -d: -f2 <<<"$hit"): $rule"
  done < <(sed '/^$/d' <<<"$where" | tr '\n' '\0' | xargs -0r grep -nHP -e "$expression" || true)
}

code='\.(cpp|hpp)$'
engine="$(files_in "^engine/.*$code")"
io="$(files_in "^io/.*$code")"
io_library="$(files_in "^io/.*$code" | grep -vE '^io/doors/((cli|help|commands|steps)/|inkling_main\.cpp$)' || true)"
bench="$(files_in "^bench/.*$code")"
all="$(files_in "^(engine|io|bench|tests)/.*$code")"
include='^\s*#\s*include\s*[<"]'

# engine <- io <- bench. Tests may include everything, and only tests may include tests.
forbid 'engine must not include io' "$engine" "${include}io/"
forbid 'engine must not include bench' "$engine" "${include}bench/"
forbid 'io must not include bench' "$io" "${include}bench/"
forbid 'only tests may include tests' "$engine"$'\n'"$io"$'\n'"$bench" "${include}tests/"
forbid 'include from the root of the repository' "$all" '^\s*#\s*include\s*"(?!(engine|io|bench|tests)/)'

# A wing of io may use the wings before it. In a wing, the table of its README is the order: a room may include itself and the
# rooms above it.
order=''
for wing in base corpus search parts doors; do
  [[ -f "io/$wing/README.md" ]] || continue
  in_order="$(grep -oP '^\| \[\x60\K\w+(?=/\x60\])' "io/$wing/README.md" || true)"
  while IFS= read -r room; do
    grep -qx "$room" <<<"$in_order" || report "io/$wing/$room: not in the table of io/$wing/README.md"
  done < <(files_in "^io/$wing/[^/]+/.*$code" | cut -d/ -f3 | sort -u)
  for room in $in_order; do
    order+="|$wing/$room/"
    forbid "io/$wing/$room must not include what comes after it" "$(files_in "^io/$wing/$room/.*$code")" "${include}io/(?!include/|(${order#|}))"
  done
done
forbid 'of the engine, io/base may include engine/core only' "$(files_in "^io/base/.*$code")" "${include}engine/(?!core/)"
forbid 'io must do without io/parts: only io/doors/steps and io/doors/python may include it' \
  "$(files_in "^io/(corpus|search|doors)/.*$code" | grep -vE '^io/doors/(steps|python)/' || true)" "${include}io/parts/"
forbid 'io/doors/python must not include another door' "$(files_in "^io/doors/python/.*$code")" "${include}io/doors/(?!python/)"

# A wing can include only wings that it links, so it must not link later ones.
linked=''
for wing in base corpus search parts doors; do
  linked+="|$wing"
  forbid "io/$wing must not link what comes after it" "$(files_in "^io/$wing/CMakeLists\.txt$")" "inkling::io_(?!(${linked#|})\b)"
done

# The engine only computes: it has no files, streams, printing, clocks, system calls or libraries of io.
forbid 'engine must not use files, streams, clocks or the system' "$engine" \
  "${include}(fstream|iostream|istream|ostream|sstream|syncstream|iomanip|filesystem|cstdio|stdio\.h|print|chrono|ctime|time\.h|(unistd|fcntl|poll|termios|sched|pthread|dlfcn|signal)\.h|(sys|linux)/)"
forbid 'engine must not use Boost or fmt' "$engine" "${include}(boost|fmt)/"
forbid 'engine must not print' "$engine" '\bstd::(cout|cerr|clog|print|println)\b|\b(printf|fprintf|puts|fputs|perror)\('

# Another system is one more folder of io/base/system, and a fault put there reaches everything.
forbid 'only io/base/system may include headers of the operating system' "$(grep -v '^io/base/system/' <<<"$io"$'\n'"$bench" || true)" \
  "${include}((unistd|fcntl|poll|termios|sched|pthread|dlfcn|signal|spawn|malloc|stdio_ext|dirent|pwd|libproc|windows|io)\.h[>\"]|(sys|linux|arpa|netinet|mach|mach-o|malloc)/)"
forbid 'headers of io/base/system must not include those of an operating system' \
  "$(files_in '^io/base/system/[^/]+\.(hpp|cpp)$')" "${include}((unistd|fcntl|poll|termios|sched|pthread|signal|spawn)\.h|(sys|linux)/|windows)"

# What Linux does in its own way macOS does, too: `./dev mac`, which links it, is run less often than this.
own_sources() { files_in "^io/base/system/$1/.*\.cpp\$" | sed 's|.*/||'; }
while IFS= read -r source; do
  [[ -z "$source" ]] || report "io/base/system/macos/$source: linux and macos hold the same sources"
done < <(comm -3 --output-delimiter='' <(own_sources linux | sort) <(own_sources macos | sort))

# One wheel serves Python 3.12 and all later versions, so it uses the stable interface: functions, and no macros that read objects.
forbid 'io/doors/python must use the stable interface of Python' "$(files_in "^io/doors/python/.*$code")" '\bPy[A-Za-z]+_(GET|SET|AS)_[A-Z_]+\b'

# Only these doors print or end the process.
forbid 'only cli, help, commands and steps of io/doors may print' "$io_library" '\bstd::(cout|cerr|clog)\b|\b(printf|puts|perror)\(|\bfmt::print\((?!\s*\w+\s*,)'
forbid 'a library must not end the process' "$engine"$'\n'"$io_library" '\b(exit|_Exit|quick_exit|abort)\('

# MinGW frees the memory of a thread's objects before it destroys them.
forbid 'a thread_local is a number: others are destroyed too late on Windows' "$engine"$'\n'"$io"$'\n'"$bench" \
  '\bthread_local (?!(constinit )?(bool|int|double|std::u?int\d+_t|std::size_t) )'

# On Windows, the parts of a path are divided by backslashes unless it is asked for slashes.
forbid 'a path is asked for its generic_string()' "$(grep -vE '^io/base/system/(linux|macos|posix)/' <<<"$io" || true)" '(?<!filename\(\))(?<!stem\(\))(?<!extension\(\))\.string\(\)'

# The hashes make sure that downloads are the tested versions.
forbid 'pip takes what it downloads by hashes: a list in .ci/pip' dev '(pip_install |/pip"? install )(?!.*(--require-hashes|--no-build-isolation|ARGUMENT|"\$@"))'

# Only one file may know CHOLMOD.
forbid 'only engine/model/sparse_cholesky.cpp may include CHOLMOD' \
  "$(grep -vx 'engine/model/sparse_cholesky\.cpp' <<<"$all" || true)" "${include}(suitesparse/)?(cholmod|SuiteSparse)"

# A path of one machine is wrong on others.
elsewhere="$(grep -vE '^(\.git|build)/' <<<"$files" || true)"
forbid 'no absolute path of one machine' "$elsewhere" '(?<![\w.~$}])(/home|/Users|/root)/\w'
if [[ "$root" == /*/* ]]; then # a root such as /src is too short: other paths begin with it, too
  forbid 'no absolute path of one machine' "$elsewhere" "(?<![\w/])\Q$root\E/"
fi

while IFS= read -r header; do
  [[ -z "$header" ]] || grep -q '^#pragma once$' "$header" || report "$header:1: a header begins with #pragma once"
done < <(files_in '\.hpp$')

# A source that includes its header first shows that the header compiles alone.
while IFS= read -r source; do
  header="${source%.cpp}.hpp"
  [[ -n "$source" && -f "$header" ]] || continue
  [[ "$(grep -m1 '^#include' "$source")" == "#include \"$header\"" ]] ||
    report "$source:1: a source includes its own header first"
done < <(files_in '^(engine|io|bench)/.*\.cpp$')

# Folders and modules of Python that include each other in a circle cannot be read one after the other.
circles() { # GROUP: the folders of engine or of io that are part of a circle
  files_in "^$1/.*$code" | tr '\n' '\0' | xargs -0r grep -HoP "${include}\K$1/[^\">]+(?=/)" | sed -E 's|/[^/]*:| |' |
    sort -u | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^ ]*\)$/\1/p' || true
}
while IFS= read -r folder; do
  [[ -z "$folder" ]] || report "$folder: in a circle of folders that include each other"
done < <(circles engine; circles io)
while IFS= read -r violation; do
  report "$violation"
done < <(files_in '^io/.*\.py$' | python3 "$here/imports.py")

while read -r count folder; do
  ((count <= 30)) || report "$folder: $count files; a folder holds at most 30"
done < <(grep -E '/' <<<"$files" | grep -vE '^(tests|build|\.git)/' | sed 's|/[^/]*$||' | sort | uniq -c)

while IFS= read -r input; do
  [[ -z "$input" ]] || report "$input: an input of the corpus is named after what it shows, not by libFuzzer"
done < <(files_in '^tests/fuzz/corpus/.*/[0-9a-f]{40}$')

# Every folder opens with a README of at most 40 lines.
while IFS= read -r folder; do
  [[ -n "$folder" ]] || continue
  if [[ ! -f "$folder/README.md" ]]; then
    report "$folder: a folder opens with a README.md"
  elif (($(wc -l <"$folder/README.md") > 40)); then
    report "$folder/README.md: a README of a folder has at most 40 lines"
  fi
done < <({ files_in '^(engine|io|bench)/.*\.(cpp|hpp|py)$' && files_in '^io/[^/]+/CMakeLists\.txt$'; } | sed 's|/[^/]*$||' | sort -u)

# Links in Markdown lead to files of the repository.
while IFS=: read -r page link; do
  [[ -z "$page" || -e "$(dirname "$page")/${link%%#*}" ]] || report "$page: the link to $link leads nowhere"
done < <(files_in '\.md$' | tr '\n' '\0' | xargs -0r grep -HoP '\]\(\K[^)#:\s]+(#[^)\s]*)?(?=\))' || true)
while IFS= read -r violation; do
  report "$violation"
done < <(files_in '(^|/)README\.md$' | python3 "$here/tables.py")
# A switch over an enum of ours names every value, so that the compiler finds the places that a new one concerns. Sources of a
# library compile in groups, so their own names differ.
while IFS= read -r violation; do
  report "$violation"
done < <(python3 "$here/switches.py" <<<"$all"
  grep -vE '_main\.cpp$|^bench/speed/micro/' <<<"$engine"$'\n'"$io"$'\n'"$bench" | grep -E '\.(cpp|hpp)$' | sort | python3 "$here/names.py")
while IFS= read -r test; do
  [[ -z "$test" || -e "tests/$test" ]] || report "tests/PROMISES.md: the test $test does not exist"
done < <([[ ! -f tests/PROMISES.md ]] || grep -oP "\x60\K[a-z_]+/[\w./]*(?=\x60)" tests/PROMISES.md | sort -u)

# Words for which there are standard ones: given, received, is, continues, pending, request, state. No more of them come.
slang="$(files_in '^(engine|io|bench|\.github)/|^README\.md$' | tr '\n' '\0' | xargs -0r grep -hIwE 'told|heard|stands|standing|goes on|wish|moment' | wc -l || true)"
((slang <= 100)) || report "slang: $slang lines with told, heard, stands, standing, goes on, wish or moment; at most 100"

while IFS= read -r entry; do
  case "$entry" in
    engine | io | bench | tests | datasets | CMakeLists.txt | README.md | CHANGELOG.md) ;;
    dev | pyproject.toml | CMakePresets.json | LICENSE | CITATION.cff | .*) ;;
    *) report "$entry: not allowed at the top level" ;;
  esac
done < <(cut -d/ -f1 <<<"$files" | sort -u)

if ((violations > 0)); then
  echo "architecture: $violations violation(s)"
  exit 1
fi
echo "architecture: $(wc -l <<<"$files") files keep the rules"
