#!/usr/bin/env bash
# format.sh ROOT [--fix]: checks that every source is formatted as .clang-format says. With --fix it formats them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mode=(--dry-run -Werror)
[[ "${2:-}" != --fix ]] || mode=(-i)

cd "$1"
list_files . | grep -E '\.(cpp|hpp)$' | tr '\n' '\0' | xargs -0 clang-format-16 "${mode[@]}"
