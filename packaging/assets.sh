#!/bin/sh
# Man pages and completions, made by scrub itself: packaging/assets.sh DIR
set -eu
out=${1:?a folder}
rm -rf "$out" && mkdir -p "$out/man" "$out/completions"
unset GOOS GOARCH
go build -buildvcs=false -o "$out/scrub" ./cmd/scrub
"$out/scrub" man "$out/man"
"$out/scrub" completion bash > "$out/completions/scrub.bash"
"$out/scrub" completion zsh > "$out/completions/_scrub"
"$out/scrub" completion fish > "$out/completions/scrub.fish"
# Dated by the commit, so that the same commit gives the same bytes next month.
made=$(LC_ALL=C git log -1 --format=%cd --date=format:'%b %Y')
sed -i.bak "2s/\"[A-Z][a-z][a-z] [0-9]*\"/\"$made\"/" "$out"/man/*.1 && rm "$out"/man/*.bak
gzip -9nk "$out"/man/*.1
rm "$out/scrub"
