# make test is all that CI runs. If it passes here, it passes there.

.PHONY: test build man race fuzz clean

test:
	@test -z "$$(gofmt -l cmd internal)" || { echo "gofmt these:"; gofmt -l cmd internal; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go test ./...

build:
	go build -o scrub ./cmd/scrub

man: build
	mkdir -p man && ./scrub man man

# Needs a C compiler, which make test does not.
race:
	CGO_ENABLED=1 go test -race ./...

FUZZTIME ?= 1m
fuzz:
	go test ./internal/bug -run '^$$' -fuzz FuzzExceptions -fuzztime $(FUZZTIME)
	go test ./internal/intake -run '^$$' -fuzz FuzzRead -fuzztime $(FUZZTIME)
	go test ./internal/forge/issuefile -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME)

clean:
	rm -rf scrub man
