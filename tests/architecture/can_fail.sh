#!/usr/bin/env bash
# Tests check.sh: a small clean tree passes; of a tree with every violation it names each in the right line, and nothing else.
set -euo pipefail
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

plant_clean_tree() {
  rm -rf "$scratch/tree"
  local folder wing
  local folders=(engine/core engine/model io/base/file io/base/text io/corpus/pool io/parts/live io/doors/cli io/doors/commands
    io/doors/steps io/doors/python io/doors/python/inkling io/doors/python/inkling/cluster bench/micro)
  mkdir -p "$scratch/tree" && cd "$scratch/tree"
  mkdir -p "${folders[@]}"
  for folder in "${folders[@]}"; do echo "# $folder" >"$folder/README.md"; done
  for wing in base corpus parts doors; do
    for folder in "io/$wing"/*/; do printf '| [\x60%s/\x60]() | |\n' "$(basename "$folder")"; done >"io/$wing/README.md"
    echo "target_link_libraries(io_$wing PUBLIC inkling::io_$wing)" >"io/$wing/CMakeLists.txt"
  done
  printf 'from . import _core\nfrom ._pool import Pool\n' >io/doors/python/inkling/__init__.py
  printf 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._html import html\n' >io/doors/python/inkling/_pool.py
  printf 'from ._pool import Pool\n' >io/doors/python/inkling/_html.py
  printf 'from .._pool import Pool\n' >io/doors/python/inkling/cluster/__init__.py
  printf '#pragma once\n#include <vector>\n' >engine/core/ids.hpp
  printf '#include <cholmod.h>\n#include "engine/core/ids.hpp"\n' >engine/model/sparse_cholesky.cpp
  printf '#include <fstream>\n#include "engine/core/ids.hpp"\n' >io/base/file/reader.cpp
  printf '#include <iostream>\nint main() { std::cout << 1; std::exit(1); }\n' >io/doors/inkling_main.cpp
  printf '#include "engine/core/ids.hpp"\n#include "io/base/file/reader.hpp"\n' >bench/micro/speed.cpp
  touch CMakeLists.txt README.md CHANGELOG.md dev LICENSE .gitignore
}

# expect MESSAGE...: check.sh must print these of the tree.
expect() { printf '%s\n' "$@" >>"$scratch/expected"; }

# violate RULE FILE LINE: appends LINE to FILE, which breaks RULE there.
violate() {
  printf '%s\n' "$3" >>"$2"
  expect "$2:$(grep -c '' "$2"): $1"
}

# demand_failure: the tree as it is now must fail with what is expected, each once, and with nothing else.
demand_failure() {
  local count
  count="$(grep -c '' "$scratch/expected")"
  expect "architecture: $count violation(s)"
  if "$here/check.sh" "$scratch/tree" >"$scratch/found"; then
    echo "FAIL: the checker accepted a tree with $count violations" && exit 1
  fi
  diff <(sort "$scratch/expected") <(sort "$scratch/found") || { echo 'FAIL: expected (<) is not what it found (>)' && exit 1; }
  checked=$((checked + count))
  rm "$scratch/expected"
}

checked=0
plant_clean_tree
"$here/check.sh" "$scratch/tree" >/dev/null || { echo 'FAIL: the checker refuses a clean tree'; exit 1; }

violate 'engine must not include io' engine/core/ids.hpp '#include "io/base/file/reader.hpp"'
violate 'engine must not include io' engine/core/ids.hpp '#  include <io/base/file/reader.hpp>'
violate 'engine must not include bench' engine/core/ids.hpp '#include "bench/speed.hpp"'
violate 'io must not include bench' io/base/file/reader.cpp '#include "bench/speed.hpp"'
violate 'only tests may include tests' bench/micro/speed.cpp '#include "tests/support/twin.hpp"'
violate 'include from the root of the repository' io/base/file/reader.cpp '#include "reader.hpp"'
violate 'include from the root of the repository' engine/core/ids.hpp '#include "../../io/base/file/reader.hpp"'
violate 'io/base/file must not include what comes after it' io/base/file/reader.cpp '#include "io/corpus/pool/pool.hpp"'
violate 'io/base/file must not include what comes after it' io/base/file/reader.cpp '#include "io/base/text/style.hpp"'
violate 'io/base/file must not include what comes after it' io/base/file/reader.cpp '#include "io/corpus/pool/open/pool.hpp"'
violate 'io/doors/cli must not include what comes after it' io/doors/cli/option.cpp '#include "io/doors/commands/info.hpp"'
violate 'of the engine, io/base may include engine/core only' io/base/file/reader.cpp '#include "engine/model/gram.hpp"'
violate 'io must do without io/parts: only io/doors/steps and io/doors/python may include it' io/doors/cli/option.cpp '#include "io/parts/live/group.hpp"'
violate 'io/doors/python must not include another door' io/doors/python/module.cpp '#include "io/doors/cli/option.hpp"'
violate 'io/base must not link what comes after it' io/base/CMakeLists.txt 'target_link_libraries(io_base PRIVATE inkling::io_corpus)'
violate 'only inkling.cluster may import inkling.cluster' io/doors/python/inkling/_html.py 'from . import cluster'
violate 'io must not import bench' io/doors/python/inkling/_html.py 'import bench.report'
for header in fstream iostream filesystem cstdio chrono sys/mman.h unistd.h poll.h linux/magic.h; do
  violate 'engine must not use files, streams, clocks or the system' engine/core/ids.hpp "#include <$header>"
done
mkdir -p io/base/system/linux && echo '# system' | tee io/base/system/README.md >io/base/system/linux/README.md
printf '| [\x60system/\x60]() | |\n' >>io/base/README.md
printf '#pragma once\n' >io/base/system/file.hpp
for header in unistd.h fcntl.h poll.h termios.h sys/stat.h linux/magic.h pthread.h; do
  violate 'only io/base/system may include headers of the operating system' io/base/file/reader.cpp "#include <$header>"
  violate 'only io/base/system may include headers of the operating system' bench/micro/speed.cpp "#  include <$header>"
  violate 'headers of io/base/system must not include those of an operating system' io/base/system/file.hpp "#include <$header>"
  printf '#include <%s>\n' "$header" >>io/base/system/linux/file.cpp
done
expect 'io/base/system/macos/file.cpp: linux and macos hold the same sources'
violate 'engine must not use Boost or fmt' engine/core/ids.hpp '#include <boost/format.hpp>'
violate 'engine must not use Boost or fmt' engine/core/ids.hpp '#include <fmt/core.h>'
violate 'io/doors/python must use the stable interface of Python' io/doors/python/core_module.cpp 'auto* first = PyTuple_GET_ITEM(all, 0);'
violate 'engine must not print' engine/core/ids.hpp 'inline void f() { std::puts("x"); }'
violate 'only cli, help, commands and steps of io/doors may print' io/base/file/reader.cpp 'void f() { std::cerr << 1; }'
violate 'a library must not end the process' engine/core/ids.hpp 'inline void f() { std::abort(); }'
violate "a thread_local is a number: others are destroyed too late on Windows" io/base/file/reader.cpp 'thread_local std::vector<int> kept;'
violate 'a path is asked for its generic_string()' io/base/file/reader.cpp 'std::string f() { return place.string(); }'
violate 'a library must not end the process' io/base/file/reader.cpp 'void f() { std::exit(1); }'
violate 'only engine/model/sparse_cholesky.cpp may include CHOLMOD' engine/core/ids.hpp '#include <cholmod.h>'
violate 'no absolute path of one machine' io/base/file/reader.cpp '// see /home/''somebody/notes'
violate 'no absolute path of one machine' io/base/file/reader.cpp "// see $scratch/tree/notes"
violate 'pip takes what it downloads by hashes: a list in .ci/pip' dev 'pip_install numpy'

printf 'namespace inkling {\nstruct Line {\n};\n}\n' | tee -a engine/core/ids.hpp >engine/model/line.hpp
sed -i '1i #pragma once' engine/model/line.hpp
expect 'engine/model/line.hpp: Line is also a type of engine/core/ids.hpp, and the linker would mix them up'
echo 'struct Bare;' >engine/core/bare.hpp
expect 'engine/core/bare.hpp:1: a header begins with #pragma once'
printf '#pragma once\n' >io/base/file/reader.hpp
expect 'io/base/file/reader.cpp:1: a source includes its own header first'
rm io/doors/python/inkling/README.md
expect 'io/doors/python/inkling: a folder opens with a README.md'
printf 'line %s\n' {1..41} >bench/micro/README.md
expect 'bench/micro/README.md: a README of a folder has at most 40 lines'
mkdir engine/many engine/most && touch engine/many/table_{1..31}.txt engine/most/table_{1..30}.txt
expect 'engine/many: 31 files; a folder holds at most 30'
mkdir engine/{policy,scoring,sparse}
for folder in policy scoring sparse; do
  echo "# $folder" >"engine/$folder/README.md"
  expect "engine/$folder: in a circle of folders that include each other"
done
printf '#pragma once\n#include "engine/scoring/scan.hpp"\n' >engine/policy/policy.hpp
printf '#pragma once\n#include "engine/sparse/rows.hpp"\n' >engine/scoring/scan.hpp
printf '#pragma once\n#include "engine/policy/policy.hpp"\n' >engine/sparse/rows.hpp
mkdir io/base/file/json && echo '# io/base/file/json' >io/base/file/json/README.md
printf '#pragma once\n#include "io/base/file/reader.hpp"\n' >io/base/file/json/writer.hpp
echo '#include "io/base/file/json/writer.hpp"' >>io/base/file/reader.cpp
expect io/base/file{,/json}': in a circle of folders that include each other'
mkdir io/base/sqlite && echo '# io/base/sqlite' >io/base/sqlite/README.md
echo 'int lock;' >io/base/sqlite/lock.cpp
expect 'io/base/sqlite: not in the table of io/base/README.md'
echo 'See [the notes](notes.md).' >>io/base/file/README.md
expect 'io/base/file/README.md: the link to notes.md leads nowhere'
printf '| file | what |\n|---|---|\n| \x60reader.cpp\x60 \x60READER.cpp\x60 | x |\n' >>io/base/file/README.md
violate 'the table names writer.cpp, which is not there' io/base/file/README.md $'| \x60writer.cpp\x60 | x |'
printf '#pragma once\nenum class Kind { one, two };\n' >engine/core/kind.hpp
printf 'int f(char c) {\n  switch (c) {\n    case %s:\n      return 1;\n    default:\n      return 0;\n  }\n}\n' "'{'" >io/base/text/kinds.cpp
printf 'int g(Kind kind) {\n  switch (kind) {\n    case Kind::one:\n      return 1;\n    default:\n      return 0;\n  }\n}\n' >>io/base/text/kinds.cpp
expect 'io/base/text/kinds.cpp:10: a switch over Kind must have no default: name every value'
for name in one two; do
  printf 'namespace {\nconstexpr int kSize = int{1} << 2U;\nint sum_of(int %s, long b) { return b > 0 ? %s : 0; }\nint own(%s x);\n}\n' "$name" "$name" "$name" >"io/base/text/$name.cpp"
done
for name in kSize 'sum_of(int, long)'; do
  expect "io/base/text/two.cpp: $name is also a name of io/base/text/one.cpp, which may compile with it"
done
mkdir tests && echo "| M1 | \`engine/model/drift_test.cpp\` |" >tests/PROMISES.md
expect 'tests/PROMISES.md: the test engine/model/drift_test.cpp does not exist'
input="tests/fuzz/corpus/csv/$(printf 'a%.0s' {1..40})"
mkdir -p "${input%/*}" && touch "$input"
expect "$input: an input of the corpus is named after what it shows, not by libFuzzer"
for ((n = 0; n < 101; ++n)); do echo '// It was told.'; done >>io/base/file/reader.cpp
expect 'slang: 101 lines with told, heard, stands, standing, goes on, wish or moment; at most 100'
mkdir scripts && touch scripts/run
expect 'scripts: not allowed at the top level'
demand_failure

# What would make others of them another violation: the import of inkling.cluster a circle, and that of io/parts one of a later room.
plant_clean_tree && printf 'def html():\n    from ._html import html\n' >>io/doors/python/inkling/_pool.py
expect io/doors/python/inkling/_{html,pool}.py': in a circle of modules that import each other'
rm io/parts/README.md
expect 'io/parts: a folder opens with a README.md'
demand_failure

echo "architecture-can-fail: $checked violations, each caught"
