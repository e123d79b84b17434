#!/bin/sh
# Installs what a build needs, on Debian 12 and its relatives; quick when everything is there. More packages may be named.
set -eu
packages="g++ cmake ninja-build git ca-certificates python3 libyaml-cpp-dev libtomlplusplus-dev nlohmann-json3-dev doctest-dev $*"
# Node.js from elsewhere brings its own npm and conflicts with Debian's.
command -v npm >/dev/null || packages="$packages npm"
missing=""
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing$missing" >&2
$as_root apt-get update -qq </dev/null
# shellcheck disable=SC2086 # the list is meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >/dev/null
