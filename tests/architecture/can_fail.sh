#!/usr/bin/env bash
# Tests check.sh: a small clean tree passes, and each violation alone makes it fail with its message.
set -euo pipefail
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

plant_clean_tree() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree"/{engine/core,engine/model,io/base/file,io/doors/cli,io/doors/commands,bench/micro}
  cd "$scratch/tree"
  for folder in engine/core engine/model io/base/file io/doors/cli io/doors/commands bench/micro; do echo "# $folder" >"$folder/README.md"; done
  printf '#pragma once\n#include <vector>\n' >engine/core/ids.hpp
  printf '#include <cholmod.h>\n#include "engine/core/ids.hpp"\n' >engine/model/sparse_cholesky.cpp
  printf '#include <fstream>\n#include "engine/core/ids.hpp"\n' >io/base/file/reader.cpp
  printf '#include <iostream>\nint main() { std::cout << 1; std::exit(1); }\n' >io/doors/inkling_main.cpp
  printf '#include "engine/core/ids.hpp"\n#include "io/base/file/reader.hpp"\n' >bench/micro/speed.cpp
  touch CMakeLists.txt README.md CHANGELOG.md dev LICENSE .gitignore
}

# demand_failure MESSAGE [TIMES]: the tree as it is now must fail for this reason alone, which is told once or TIMES.
demand_failure() {
  local output
  if output="$("$here/check.sh" "$scratch/tree")"; then
    echo "FAIL: the checker accepted a tree in which it should find \"$1\"" && exit 1
  fi
  if ! grep -qF -- "$1" <<<"$output" || ! grep -qF ": ${2:-1} violation(s)" <<<"$output"; then
    printf 'FAIL: expected exactly "%s", got\n%s\n' "$1" "$output" && exit 1
  fi
  checked=$((checked + 1))
}

# violate MESSAGE FILE LINE: a clean tree, with LINE appended to FILE.
violate() {
  plant_clean_tree
  printf '%s\n' "$3" >>"$2"
  demand_failure "$1"
}

checked=0
plant_clean_tree
"$here/check.sh" "$scratch/tree" >/dev/null || { echo 'FAIL: the checker refuses a clean tree'; exit 1; }

violate 'engine/core/ids.hpp:3: engine must not include io' engine/core/ids.hpp '#include "io/base/file/reader.hpp"'
violate 'engine must not include io' engine/core/ids.hpp '#  include <io/base/file/reader.hpp>'
violate 'engine must not include bench' engine/core/ids.hpp '#include "bench/speed.hpp"'
violate 'io must not include bench' io/base/file/reader.cpp '#include "bench/speed.hpp"'
violate 'only tests may include tests' bench/micro/speed.cpp '#include "tests/support/twin.hpp"'
violate 'include from the root of the repository' io/base/file/reader.cpp '#include "reader.hpp"'
violate 'include from the root of the repository' engine/core/ids.hpp '#include "../../io/base/file/reader.hpp"'
for header in fstream iostream filesystem cstdio chrono sys/mman.h; do
  violate 'engine must not use files, streams, clocks or the system' engine/core/ids.hpp "#include <$header>"
done
violate 'engine must not use Boost or fmt' engine/core/ids.hpp '#include <boost/format.hpp>'
violate 'engine must not use Boost or fmt' engine/core/ids.hpp '#include <fmt/core.h>'
violate 'engine must not print' engine/core/ids.hpp 'inline void f() { std::puts("x"); }'
violate 'only io/doors/cli, io/doors/help and io/doors/commands may print' io/base/file/reader.cpp 'void f() { std::cerr << 1; }'
violate 'a library must not end the process' engine/core/ids.hpp 'inline void f() { std::abort(); }'
violate 'a library must not end the process' io/base/file/reader.cpp 'void f() { std::exit(1); }'
violate 'only engine/model/sparse_cholesky.cpp may include CHOLMOD' engine/core/ids.hpp '#include <cholmod.h>'
violate 'no absolute path of one machine' io/base/file/reader.cpp '// see /home/''somebody/notes'
violate 'no absolute path of one machine' io/base/file/reader.cpp "// see $scratch/tree/notes"

plant_clean_tree && echo 'struct Bare;' >engine/core/bare.hpp
demand_failure 'engine/core/bare.hpp:1: a header begins with #pragma once'
plant_clean_tree && printf '#pragma once\n' >io/base/file/reader.hpp
demand_failure 'io/base/file/reader.cpp:1: a source includes its own header first'
plant_clean_tree && rm io/base/file/README.md
demand_failure 'io/base/file: a folder opens with a README.md'
plant_clean_tree && printf 'line %s\n' {1..41} >io/base/file/README.md
demand_failure 'io/base/file/README.md: a README of a folder has at most 40 lines'
plant_clean_tree && touch engine/core/table_{1..29}.txt
demand_failure 'engine/core: 31 files; a folder holds at most 30'
plant_clean_tree && echo '#include "io/doors/cli/options.hpp"' >>io/base/file/reader.cpp
printf '#pragma once\n#include "io/doors/commands/info.hpp"\n' >io/doors/cli/options.hpp
printf '#pragma once\n#include "io/base/file/names.hpp"\n' >io/doors/commands/info.hpp
printf '#pragma once\n' >io/base/file/names.hpp
demand_failure 'io/base/file: in a circle of folders that include each other' 3
plant_clean_tree && echo 'See [the notes](notes.md).' >>io/base/file/README.md
demand_failure 'io/base/file/README.md: the link to notes.md leads nowhere'
plant_clean_tree && mkdir tests && echo "| M1 | \`engine/model/drift_test.cpp\` |" >tests/PROMISES.md
demand_failure 'tests/PROMISES.md: the test engine/model/drift_test.cpp does not exist'
plant_clean_tree && mkdir scripts && touch scripts/run
demand_failure 'scripts: not allowed at the top level'

echo "architecture-can-fail: $checked violations, each caught"
