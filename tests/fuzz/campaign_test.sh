#!/usr/bin/env bash
# Tests campaign.sh with programs that only print reports: the counts, and what a finding and Ctrl-C do.
# shellcheck disable=SC2016 # the programs are scripts that expand the single-quoted texts
set -euo pipefail
campaign="$(realpath "$(dirname "${BASH_SOURCE[0]}")")/campaign.sh"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch"/{fast,checked,tests}
# A copy, because campaign.sh makes a folder of seeds beside itself for a target without one.
cp "$campaign" "$scratch/tests/"

# program KIND NAME: makes a program that parses the options -runs and -artifact_prefix and then runs the script on standard input.
program() {
  {
    printf '#!/usr/bin/env bash\nfor option; do case "$option" in\n'
    printf -- '-runs=*) runs="${option#*=}" ;;\n-artifact_prefix=*) prefix="${option#*=}" ;;\nesac; done\n'
    printf 'report() { printf "#%%s DONE cov: 12 ft: 3\\nstat::number_of_executed_units: %%s\\n" "$1" "$1"; }\n'
    cat
  } >"$scratch/$1/$2_fuzz"
  chmod +x "$scratch/$1/$2_fuzz"
}

# run EXIT-CODE HOW EXECUTIONS NAME...: runs a campaign that must end with this code; its output goes to $scratch/output.
run() {
  local expected="$1" status=0
  "$scratch/tests/campaign.sh" "$scratch/fast" "$scratch/checked" "$scratch/home" "${@:2}" >"$scratch/output" 2>&1 ||
    status=$?
  ((status == expected)) || fail "expected exit code $expected of '${*:2}', found $status"
}

# demand_row REGEX: a row of the table that was printed, with one blank between its cells.
demand_row() { tr -s ' ' <"$scratch/output" | grep -qE "^$1\$" || fail "expected the row '$1'"; }

fail() {
  echo "FAIL: $1; the output was:" && cat "$scratch/output"
  exit 1
}

for kind in fast checked; do program "$kind" counts <<<'report "$runs"'; done
run 0 until 1000 counts
demand_row 'counts 1000 10 .* 12 0'
run 0 until 1000 counts
demand_row 'counts 1000 10 .* 12 0'
run 0 more 100 counts
demand_row 'counts 1100 11 .* 12 0'

program fast breaks <<<'report 7; echo bad >"${prefix}crash"; echo "Test unit written to ${prefix}crash"; exit 77'
program checked breaks <<<'echo "what the sanitizers say of $1"'
run 1 until 50 breaks counts
demand_row 'breaks 7 0 .* 12 1'
demand_row 'what the sanitizers say of .*/breaks-crash'
demand_row 'counts 1100 11 .* 12 0' # the other targets go on

for kind in fast checked; do program "$kind" idles <<<'exit 0'; done
run 1 until 50 idles

# A signal while a program runs stops the program, and its executions count.
program fast waits <<'END'
trap 'report 5; exit 72' TERM
touch "$prefix"running
while :; do sleep 0.02; done
END
program checked waits </dev/null
(
  while [[ ! -e "$scratch/home/findings/waits-running" ]]; do sleep 0.02; done
  rm "$scratch/home/findings/waits-running"
  kill -TERM "$(cat "$scratch/pid")"
) &
status=0
bash -c 'echo $$ >"$1/pid"; exec "$1/tests/campaign.sh" "$1/fast" "$1/checked" "$1/home" until 50 waits' _ "$scratch" \
  >"$scratch/output" 2>&1 || status=$?
wait
((status == 130)) || fail "expected exit code 130 after a signal, found $status"
run 0 more 0 waits
demand_row 'waits 5 0 .* 12 0'
echo 'a campaign counts what it ran, shows findings and can be stopped'
