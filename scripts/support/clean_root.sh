#!/bin/sh
# What must hold of the packages in a root that has never seen Linnet; scripts/checks package runs
# it there. The files of the packages are beside this one.
set -eu
here=$(dirname "$0")
export DEBIAN_FRONTEND=noninteractive

fail() {
    printf 'not ok: %s\n' "$1" >&2
    exit 1
}

apt-get install -y -qq --no-install-recommends "$here"/linnet_*.deb >/dev/null
linnet --version
for file in share/man/man1/linnet.1.gz share/bash-completion/completions/linnet \
    share/zsh/vendor-completions/_linnet share/fish/vendor_completions.d/linnet.fish \
    lib/systemd/user/linnet.service share/doc/linnet/copyright share/doc/linnet/changelog.gz; do
    # What a small root leaves out on purpose is still in the package.
    dpkg-query -L linnet | grep -x "/usr/$file" >/dev/null || fail "the package has no $file"
done
grep -q '^ExecStart="/usr/bin/linnet" run' /usr/lib/systemd/user/linnet.service \
    || fail 'the unit starts something else'
! dpkg-query -L linnet | grep '^/usr/share/systemd' >/dev/null || fail 'the unit is in two places'
bash -n /usr/share/bash-completion/completions/linnet

useradd --create-home --shell /bin/bash ada
# as_ada WORDS...: a person uses the program, without any file of its sources.
as_ada() { su ada -c "cd && $*"; }
as_ada linnet init --name Laptop --kind laptop
as_ada linnet set medication/m1 name=Aspirin amount=100 unit=mg
as_ada linnet get medication/m1 | grep Aspirin >/dev/null || fail 'the record is not there'

as_ada 'echo $$ >pid; exec linnet run --listen 127.0.0.1:0 --no-discovery --json' >/tmp/run.log &
node=$!
trap 'kill "$(cat ~ada/pid 2>/dev/null)" 2>/dev/null || true' EXIT
tries=0
until grep -q '"event":"ready"' /tmp/run.log; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail 'the node was not ready within a minute'
    kill -0 "$node" || fail 'the node ended'
    sleep 0.1
done
as_ada linnet set medication/m1 amount=200
as_ada linnet get medication/m1 | grep 200 >/dev/null \
    || fail 'the record is not the one that was written'
as_ada linnet status >/dev/null
kill "$(cat ~ada/pid)"
wait "$node" || fail 'the node did not end well'

apt-get purge -y -qq linnet >/dev/null
[ ! -e /usr/bin/linnet ] || fail 'the program is still there'
[ ! -e /usr/lib/systemd/user/linnet.service ] || fail 'the unit is still there'
[ -e ~ada/.local/share/linnet/store.sqlite ] || fail 'the home is gone'

# What the sources need is in Debian, but for Swift itself.
apt-get install -y -qq --no-install-recommends "$here"/linnet-dev_*.deb >/dev/null
[ -e /usr/share/swift/linnet/Package.swift ] || fail 'there is no manifest'
for library in $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' /usr/share/swift/linnet/Package.swift)
do
    pkg-config --exists "$library" || fail "pkg-config does not find $library"
done
apt-get purge -y -qq linnet-dev >/dev/null
printf 'installed, used and purged\n'
