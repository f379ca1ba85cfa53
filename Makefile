# make test is all that CI runs. If it passes here, it passes there.

.PHONY: test bench-page picture docs-test cross release-dry wheel long quick mutate build man race vuln fuzz attack soak chaos hostile torch contract bench-box bench-reduce bench-bisect bench-sweep corpus clean

test: cross
	@test -z "$$(gofmt -l cmd internal)" || { echo "gofmt these:"; gofmt -l cmd internal; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go test -short -timeout 60m ./...

# Other systems: what can be told without them.
cross:
	GOOS=darwin GOARCH=arm64 go vet ./...
	GOOS=windows GOARCH=amd64 go vet ./cmd/scrub

# Archives, packages, SBOM and cask as a release has them, into dist/; builds goreleaser, which takes minutes.
release-dry:
	GOFLAGS=-buildvcs=true go run github.com/goreleaser/goreleaser/v2@v2.16.0 release --snapshot --clean --skip=publish,sign

# The wheel for this machine, into dist/.
wheel:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o dist/scrub ./cmd/scrub
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) python3 packaging/wheel.py dist/scrub "$$(git describe --tags --always --match 'v*' 2>/dev/null | sed 's/^[0-9a-f]*$$/v0.0.0/')" $$(go env GOOS)/$$(go env GOARCH) dist

# All that make test does, with every case of the long sweeps.
long:
	go test -timeout 60m ./...

# For the inner loop: what answers in seconds.
quick:
	go vet ./...
	go test -short $$(go list ./... | grep -v -E '/(scrub|sandbox|runtimes|action|minimize|pipeline|pass|vet|history|reduce)$$')

build:
	go build -o scrub ./cmd/scrub

# The picture in the README, by running what it shows.
picture: build
	go run ./cmd/scrubpicture ./scrub docs/scrub.svg

# Every command in the README and in docs.
docs-test:
	go test ./cmd/scrub -count 1 -run TestDocs -v

man: build
	mkdir -p man && ./scrub man man

# Faults planted one at a time, and how many of them the tests of their package notice.
mutate:
	go run ./cmd/scrubmutate -n 200 ./internal/...

# Needs a C compiler, which make test does not.
race:
	CGO_ENABLED=1 go test -race ./...

# Known holes in what scrub is built from, by the Go project's list. Where the list cannot be reached, that is said and nothing else.
vuln:
	@go tool govulncheck ./... > .govulncheck 2>&1; code=$$?; \
	if grep -q 'fetching vulnerabilities' .govulncheck; then echo "skipped: the list of vulnerabilities cannot be reached"; code=0; else cat .govulncheck; fi; \
	rm -f .govulncheck; exit $$code

# Every request that scrub can make of GitHub and every answer of the GitHub of the tests, checked against GitHub's own descriptions, which are read from the folder
# GITHUB: github-openapi-subset.json (from @octokit/openapi) and github-schema.graphql (from @octokit/graphql-schema).
GITHUB ?= github
contract:
	SCRUB_TEST_GITHUB=$(abspath $(GITHUB)) go test ./internal/forge/... ./internal/action -count 1 -v | grep -E 'checked|cases|requests$$|^(---|ok|FAIL)' | grep -v 'checked 0 '

# Planted bugs and misuses of a real PyTorch, one for each row of its triage table that a CPU can show. It goes into an environment of its own, some
# gigabytes; wants g++.
torch:
	test -x $(ENVIRONMENTS)/torch/bin/python || python3 -m venv $(ENVIRONMENTS)/torch
	$(ENVIRONMENTS)/torch/bin/python -c 'import torch, numpy, expecttest' 2>/dev/null || $(ENVIRONMENTS)/torch/bin/python -m pip install --quiet torch numpy expecttest
	go run ./cmd/scrubeval ablate testdata/torch $(ENVIRONMENTS)/torch/bin/python

# Every attack: on every box that is here, as this user and as another, with walls that break while they are built; by packages, their builds and
# the index; by clones; by forged looks; by what strangers write; a no, and rules that turn to never, at every request; two machines at once.
attack:
	go test ./internal/runtimes/... ./internal/history ./internal/minimize ./internal/report ./internal/action -count 1 -v -run 'Attack|Forged|Inert|NoWriteAfter|TwoMachines' | grep -E 'held: |cases|rounds|OPEN|--- |^(ok|FAIL)'
	go test ./internal/sandbox -count 1 -v -run 'TestNative|TestWarm$$|TestBwrap|TestPodman|TestAsUser|Closed$$' | grep -E ' attacks$$|(held|known|OPEN) +(warm|cold)|held: |--- .*(attacks|Closed)|^(ok|FAIL)'

# What a run costs: bare, in the box, and warm. Modules that are not installed are left out; SCRUB_TEST_PYTHON names an
# interpreter that has them.
bench-box:
	go test ./internal/sandbox -run '^$$' -bench Box -benchtime 1x -v | grep -vE '^(Benchmark|goos|goarch|cpu|pkg)'

# Workers killed every five seconds, the database restarted, a network cut, for as long as CHAOS says.
CHAOS ?= 5m
chaos:
	SCRUB_TEST_CHAOS=$(CHAOS) go test ./cmd/scrub -count 1 -v -timeout 60m -run TestChaos | grep -E 'reports in|asked|--- |^(ok|FAIL)'

# A thousand reports that mean harm, or are merely broken.
HOSTILE ?= 1000
hostile:
	SCRUB_TEST_HOSTILE=$(HOSTILE) go test ./cmd/scrub -count 1 -v -timeout 60m -run TestHostileBacklog | grep -E 'reports|--- |^(ok|FAIL)'

# Ten thousand warm runs in a row: does anything grow?
soak:
	SCRUB_TEST_SOAK=1 go test ./internal/sandbox -count 1 -v -run ManyWarm

FUZZTIME ?= 1m
fuzz:
	go test ./internal/bug -run '^$$' -fuzz FuzzExceptions -fuzztime $(FUZZTIME) -fuzzminimizetime 2s
	go test ./internal/intake -run '^$$' -fuzz FuzzVersions -fuzztime $(FUZZTIME) -fuzzminimizetime 2s
	go test ./internal/intake -run '^$$' -fuzz FuzzSession -fuzztime $(FUZZTIME) -fuzzminimizetime 2s
	go test ./internal/intake -run '^$$' -fuzz FuzzRead -fuzztime $(FUZZTIME) -fuzzminimizetime 2s
	go test ./internal/forge/issuefile -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) -fuzzminimizetime 2s

# Made small: the samples. PYTHONS names interpreters that have torch and numpy. With PEERS=cvise,shrinkray,pysource
# other reducers do the same programs, each for as long as CAP allows: that wants cvise (a package of Debian's) on the
# path and a python3 of at least 3.12, which shrinkray needs, and takes hours.
PEERS ?=
CAP ?= 2m
ENVIRONMENTS ?= .environments
bench-reduce:
	test -z "$(PEERS)" || test -x $(ENVIRONMENTS)/peers/bin/shrinkray || { python3 -m venv $(ENVIRONMENTS)/peers && $(ENVIRONMENTS)/peers/bin/pip install --quiet shrinkray==26.9.13.0 pysource-minimize==0.10.1; }
	PATH="$(abspath $(ENVIRONMENTS))/peers/bin:$$PATH" go run ./cmd/scrubeval minimize testdata/minimize $(ENVIRONMENTS) $(PYTHONS) $(if $(PEERS),peers=$(PEERS)) cap=$(CAP)

# A search through forty versions that are all there, beside git bisect run doing the same work.
bench-bisect:
	go test ./internal/pipeline -run '^$$' -bench Bisect -benchtime 3x | grep -vE '^(Benchmark|goos|goarch|cpu|pkg)'

# A backlog of 500 reports with one worker and with two, beside a loop over scrub issue; what groups spare; what many
# jobs leave in memory. REPORTS names a folder of reports to take instead of half of the generated ones.
REPORTS ?=
bench-sweep:
	SCRUB_TEST_REPORTS=$(REPORTS) go test ./cmd/scrub -run '^$$' -bench Sweep -benchtime 1x -timeout 60m | grep -vE '^(Benchmark|goos|goarch|cpu|pkg)'

# Every Python file below FOLDERS is read: what ends the reader, or takes it long.
FOLDERS ?=
corpus:
	python3 internal/syntax/python/tests/corpus.py $(FOLDERS)

# What fifty people at once wait for each page, with as many cases as CASES says.
CASES ?= 50000
bench-page:
	SCRUB_TEST_CASES=$(CASES) go test ./internal/web -run '^$$' -bench Pages -benchtime 1x -timeout 20m | grep -E 'requests|memory'

clean:
	rm -rf scrub man
