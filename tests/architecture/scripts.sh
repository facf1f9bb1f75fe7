#!/usr/bin/env bash
# scripts.sh ROOT: shellcheck on every shell script of the tree.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$1"
list_files . | grep -E '(^dev|^\.ci/run|^datasets/fetch|\.sh)$' | tr '\n' '\0' | xargs -0 shellcheck --external-sources --source-path=SCRIPTDIR
