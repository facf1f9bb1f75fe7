#!/usr/bin/env bash
# face.sh INCLUDE_DIR: prints how many headers are installed there, their lines, and how many types of namespace inkling they
# declare. Fails if there are more than a person can read.
set -euo pipefail
most_headers=17
most_lines=2000
most_types=50

mapfile -t headers < <(find "$1" -name '*.hpp' | sort)
lines="$(cat /dev/null "${headers[@]}" | wc -l)"
# Declarations that begin a line; members of other types are indented.
types="$(cat /dev/null "${headers[@]}" | grep -oP '^(template <.*> )?(class|struct|enum class|enum|union) \K\w+|^using \K\w+(?= =)' | sort -u | wc -l || true)"
echo "${#headers[@]} installed headers of $lines lines, with $types types"
((${#headers[@]} > 0 && ${#headers[@]} <= most_headers)) || { echo "expected at most $most_headers headers" && exit 1; }
((lines <= most_lines)) || { echo "expected at most $most_lines lines" && exit 1; }
((types > 0 && types <= most_types)) || { echo "expected at most $most_types types" && exit 1; }
