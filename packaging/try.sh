#!/bin/sh
# Installs scrub in every way into fresh systems and takes a sample report to its verdict:
#
#   packaging/try.sh DIST ROOT…
#
# DIST is what make release-dry and make wheel have made, and the wheels of pip and uv (pip download --no-deps pip uv);
# each ROOT is the folder of a Debian or Ubuntu with Python 3 and rpm, as debootstrap makes it:
#
#   debootstrap --variant=minbase --include=python3,ca-certificates,rpm bookworm ROOT
#
# It wants root. What it writes goes to a copy that is thrown away. Prints a line a way: seconds from install to verdict.
set -eu
dist=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")/..")
arch=$(go env GOARCH)
failed=0

# inside ROOT COMMAND: in a copy of ROOT that is thrown away.
inside() {
	root=$1
	scratch=$(mktemp -d)
	mount -t tmpfs tmpfs "$scratch"
	mkdir "$scratch/up" "$scratch/work" "$scratch/new"
	mount -t overlay overlay -o "lowerdir=$root,upperdir=$scratch/up,workdir=$scratch/work" "$scratch/new"
	mkdir -p "$scratch/new/dist" "$scratch/new/examples"
	mount --bind "$dist" "$scratch/new/dist"
	mount --bind "$here/examples" "$scratch/new/examples"
	mount -t proc proc "$scratch/new/proc"
	mount --rbind /dev "$scratch/new/dev"
	mount --rbind /sys "$scratch/new/sys"
	cp /etc/resolv.conf "$scratch/new/etc/resolv.conf"
	mkdir -p "$scratch/new/before"
	code=0
	# Not chroot: from inside one, nobody makes user namespaces.
	unshare --mount sh -euc 'cd "$1"; pivot_root . before; cd /; umount -l /before; exec /usr/bin/env -i \
		PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/home sh -euc "$2"' sh "$scratch/new" "$2" \
		>"${TMPDIR:-/tmp}/scrub-try.log" 2>&1 || code=$?
	umount -R "$scratch/new"
	umount "$scratch"
	rmdir "$scratch"
	return $code
}

verdict='cd /examples; scrub --version; scrub issue exception.md --approve-clean -q | tee /verdict; grep -q "^\*\*reproduces\*\*" /verdict'
pip="python3 \$(ls /dist/pip-*.whl)/pip install --quiet --no-index --find-links /dist"
for root in "$@"; do
	system=$(. "$root/etc/os-release" && echo "$ID $VERSION_ID")
	for way in ${WAYS:-archive deb rpm wheel uv}; do
		case $way in
		archive) install="tar -xzf /dist/scrub_*_linux_$arch.tar.gz -C /usr/local/bin scrub" ;;
		deb) install="dpkg -i /dist/scrub_*_linux_$arch.deb" ;;
		rpm) install="rpm -i /dist/scrub_*_linux_$arch.rpm" ;;
		wheel) install="$pip --target /opt/scrub /dist/scrub_dev-*.whl; ln -s /opt/scrub/bin/scrub /usr/local/bin/scrub" ;;
		uv) install="$pip --target /opt/uv uv; PATH=/home/.local/bin:\$PATH
			/opt/uv/bin/uv tool install --quiet --no-index --find-links /dist scrub-dev" ;;
		esac
		began=$(date +%s.%N)
		if inside "$root" "$install; $verdict"; then
			echo "$system	$way	$(echo "$(date +%s.%N) $began" | awk '{printf "%.1f s", $1 - $2}')"
		else
			echo "$system	$way	FAILED: see ${TMPDIR:-/tmp}/scrub-try.log"
			failed=1
		fi
	done
done
exit $failed
