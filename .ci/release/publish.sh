#!/usr/bin/env bash
# publish.sh WHAT: brings packages that make.sh has made, here or on several machines, to where people get them. README.md says when.
#   check [TAG]  this commit can be released: CHANGELOG.md and CMakeLists.txt agree on its version and date, and so does the tag
#   gather       build/machines/*, each a folder of make.sh, become build/public, with checksums of everything
#   plan         what the following would publish, and that nothing is missing for it
#   packages     wheels and the source archive, to the index of Python packages, by trusted publishing
#   image        one image for all kinds of machine, to the registry $INKLING_REGISTRY; build/image has its name and digest
#   page         the page of the release on the code host, with all files and the notes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
public=build/public
version="$(grep -oP 'project\(inkling VERSION \K[0-9.]+' CMakeLists.txt)"
date="$(grep -oP 'set\(INKLING_RELEASE_DATE "\K[0-9-]+' CMakeLists.txt)"

say() { printf -- '--> %s\n' "$*"; }
fail() { echo "FAIL: $*" >&2 && exit 1; }

check() {
  [[ -z "${1:-}" || "$1" == "v$version" ]] || fail "the tag is $1, but CMakeLists.txt has version $version, whose tag is v$version"
  if ! grep -qxF "## $version, $date" CHANGELOG.md; then
    [[ -z "${1:-}" ]] || fail "CHANGELOG.md has no section '## $version, $date', of the version and date in CMakeLists.txt"
    say "not ready for a tag: CHANGELOG.md has no section '## $version, $date', of the version and date in CMakeLists.txt"
  fi
  grep -q "^  version: \"$version\"" .ci/release/conda/recipe.yaml || fail ".ci/release/conda/recipe.yaml has another version than $version"
  [[ -n "$(notes)" ]] || fail "CHANGELOG.md says nothing of $version"
}

# notes: what CHANGELOG.md says of this version. Links lead to the files of its tag, as the page of a release is in no folder.
notes() {
  local files="${GITHUB_SERVER_URL:-}/${GITHUB_REPOSITORY:-}/blob/v$version/"
  awk -v head="## $version," '/^## / { inside = index($0, head) == 1; next } inside' CHANGELOG.md |
    if [[ -n "${GITHUB_REPOSITORY:-}" ]]; then sed -E "s~\]\(([^):#]+(#[^)]*)?)\)~](${files}\1)~g"; else cat; fi
}

# same_content FILE OTHER: of archives, what they hold: compressors of several machines may differ.
same_content() {
  if [[ "$1" == *.gz ]]; then cmp --silent <(gzip -dc "$1") <(gzip -dc "$2"); else cmp --silent "$1" "$2"; fi
}

gather() {
  local folder file
  rm -rf "$public"
  mkdir -p "$public"
  for folder in build/machines/*/; do
    (cd "$folder" && sha256sum --check --strict --quiet SHA256SUMS) || fail "$folder: not the files that were made"
    for file in "$folder"*; do
      [[ "$file" != */SHA256SUMS ]] || continue
      if [[ ! -e "$public/${file##*/}" ]]; then
        cp "$file" "$public"
      else
        same_content "$file" "$public/${file##*/}" || fail "$file: another machine made another one"
      fi
    done
  done
  (cd "$public" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
}

# is_complete: everything that a release has, of each kind of machine that made a part of it.
is_complete() {
  local pattern machine patterns=("inkling_search-$version.tar.gz" inkling-windows-x64.zip SHA256SUMS)
  for machine in "$public"/inkling_"$version"_*.deb; do
    machine="$(sed -E 's/.*_([a-z0-9]+)\.deb$/\1/' <<<"$machine")"
    patterns+=("inkling-$version-$machine.oci.tar" "libinkling-dev_${version}_$machine.deb" "inkling_${version}_$machine.deb.cdx.json" "inkling_${version}_$machine.whl.cdx.json")
    case "$machine" in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; esac
    patterns+=("inkling_search-$version-"{cp310-cp310,cp311-cp311,cp312-abi3}"-*manylinux*_$machine.whl")
  done
  for pattern in "${patterns[@]}"; do compgen -G "$public/$pattern" >/dev/null || fail "$public: $pattern is missing"; done
  (cd "$public" && sha256sum --check --strict --quiet SHA256SUMS)
}

# upload_tool: at the version and with the hash in .ci/pip/uv.txt.
upload_tool() {
  [[ -x build/uv/bin/uv ]] || { python3 -m venv build/uv && build/uv/bin/pip install --quiet --require-hashes --no-deps -r .ci/pip/uv.txt; } >&2
  echo build/uv/bin/uv
}

packages() {
  "$(upload_tool)" publish --trusted-publishing always "$public"/*.whl "$public"/*.tar.gz
}

image() {
  local name file list="inkling-$version"
  [[ -n "${INKLING_REGISTRY:-}" ]] || fail 'INKLING_REGISTRY is the name of the host to which images go'
  name="$INKLING_REGISTRY/${GITHUB_REPOSITORY,,}"
  podman login --username "$GITHUB_ACTOR" --password-stdin "$INKLING_REGISTRY" <<<"$GH_TOKEN"
  podman manifest create "$list"
  for file in "$public"/*.oci.tar; do podman manifest add "$list" "oci-archive:$file"; done
  podman manifest push --all --digestfile build/digest "$list" "docker://$name:$version"
  printf 'name=%s\ndigest=%s\n' "$name" "$(cat build/digest)" >build/image
}

page() {
  notes >build/notes.md
  gh release create "v$version" --verify-tag --title "Inkling $version" --notes-file build/notes.md "$public"/*
}

plan() {
  check
  is_complete
  say "version $version of $date would be published as"
  du -ha --apparent-size "$public"
  say "with $(notes | wc -l) lines of notes from CHANGELOG.md"
  "$(upload_tool)" publish --dry-run --trusted-publishing never --username none --password none "$public"/*.whl "$public"/*.tar.gz
}

case "${1:-}" in
  check) check "${2:-}" ;;
  gather | plan) "$1" ;;
  packages | image | page)
    is_complete
    "$1"
    ;;
  *) fail "unknown: '${1:-}'; expected check, gather, plan, packages, image or page" ;;
esac
