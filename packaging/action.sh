#!/usr/bin/env bash
# What the GitHub Action does: installs scrub unless it is there, takes the issue to a verdict, writes the report into the
# job's summary and the verdict into its outputs. Nothing that the issue says gets into a command.
set -euo pipefail
case ${SCRUB_ISSUE:-} in
'' | *[!0-9]*)
	echo "scrub: this event is about no issue; say which with the input issue" >&2
	exit 2
	;;
esac
command -v scrub >/dev/null || pip install --quiet "scrub-dev${SCRUB_VERSION:+==$SCRUB_VERSION}"
# On Ubuntu since 23.10 ordinary programs may not make user namespaces, of which the sandbox is made.
if [ -e /proc/sys/kernel/apparmor_restrict_unprivileged_userns ] && command -v sudo >/dev/null; then
	sudo -n sysctl -qw kernel.apparmor_restrict_unprivileged_userns=0 || true
fi
read -r -d '' -a flags <<<"${SCRUB_FLAGS:-}" || true
state=${RUNNER_TEMP:-/tmp}/scrub.db
code=0
scrub issue "$GITHUB_REPOSITORY#$SCRUB_ISSUE" --json --state "$state" "${flags[@]}" >"${RUNNER_TEMP:-/tmp}/scrub.json" || code=$?
# 3 is that a person must decide, which is a verdict like any other here.
[ "$code" = 0 ] || [ "$code" = 3 ] || exit "$code"
temp=${RUNNER_TEMP:-/tmp}
outputs() { # of a JSON file, the fields that are named
	python3 - "$@" >>"$GITHUB_OUTPUT" <<'PY'
import json, sys
answer = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    value = answer[key]
    print(f"{key}={str(value).lower() if isinstance(value, bool) else ' '.join(str(value).split())}")
PY
}
outputs "$temp/scrub.json" verdict reason
case $(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["verdict"])' "$temp/scrub.json") in
needs-info | unsure | cannot-run | changed)
	if [ -n "${SCRUB_GUESS:-}" ] && [ -s "$SCRUB_GUESS" ]; then
		code=0
		scrub guess "$GITHUB_REPOSITORY#$SCRUB_ISSUE" --from "$SCRUB_GUESS" --json --state "$state" "${flags[@]}" >"$temp/guess.json" || code=$?
		# 4 is that it was not borne out.
		[ "$code" = 0 ] || [ "$code" = 3 ] || [ "$code" = 4 ] || exit "$code"
		outputs "$temp/guess.json" accepted
	fi
	;;
esac
scrub show "$GITHUB_REPOSITORY#$SCRUB_ISSUE" --state "$state" >>"$GITHUB_STEP_SUMMARY"
