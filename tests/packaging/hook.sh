#!/usr/bin/env bash
# The pre-commit hook installs from a clone and stops a commit with a finding, and only such a commit.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PRE_COMMIT_HOME=$scratch/cache GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q --disable-pip-version-check pre-commit
git clone -q "$root" "$scratch/hook"
git init -q "$scratch/repository"
cd "$scratch/repository"
try() { "$scratch/venv/bin/pre-commit" try-repo "$scratch/hook" oomlint --all-files; }

printf 'name: a workflow of another tool\n' >other.yaml
git add . && git commit -qm one
try

printf 'base_model: meta-llama/Llama-3.1-8B\nmicro_batch_size: 1  # oomlint: ignore[no-such-rule]\ngradient_accumulation_steps: 1\ndatasets:\n  - path: a\n    type: alpaca\n' >axolotl.yml
printf '[levels]\nunknown-suppression = "error"\n' >.oomlint.toml
git add . && git commit -qm two
if output=$(try); then
  echo "$output"
  echo "hook: the finding did not stop the commit"
  exit 1
fi
grep -q OOM9002 <<<"$output"
echo "hook: works"
