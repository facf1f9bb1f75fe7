#!/usr/bin/env bash
# face_can_fail.sh: face.sh accepts few headers, and refuses too many headers, lines or types.
set -euo pipefail
here="$(realpath "$(dirname "${BASH_SOURCE[0]}")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# refused EXPECTATION: face.sh fails over what is in the folder, and says why.
refused() {
  local said
  ! said="$("$here/face.sh" "$scratch")" || { echo "FAIL: accepted, where it should say $1" && exit 1; }
  [[ "$said" == *"$1"* ]] || { echo "FAIL: expected $1, got $said" && exit 1; }
}

refused 'expected at most 17 headers' # none at all
printf 'class One;\nstruct Two {\n  enum class Inner { a };\n};\nusing Three = int;\nclass One {};\n' >"$scratch/a.hpp"
"$here/face.sh" "$scratch" | grep -qx '1 installed headers of 6 lines, with 3 types' || { echo 'FAIL: counts' && exit 1; }
for n in $(seq 55); do echo "struct Type$n;"; done >"$scratch/b.hpp"
refused 'expected at most 50 types'
seq 2100 | sed 's|^|// |' >"$scratch/b.hpp"
refused 'expected at most 2000 lines'
for n in $(seq 20); do echo '// empty' >"$scratch/b$n.hpp"; done
refused 'expected at most 17 headers'
