// SPDX-License-Identifier: Apache-2.0

// Shared by the checks: they exit at the first failure.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// checked counts the requirements, so that a check that tested nothing is detected.
var checked int

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func require(holds bool, format string, values ...any) {
	checked++
	if !holds {
		must(fmt.Errorf(format, values...))
	}
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	must(err)
	return data
}

func parseHash(text string) tlog.Hash {
	hash, err := tlog.ParseHash(text)
	must(err)
	return hash
}

func parseHashes(lines []string) []tlog.Hash {
	hashes := []tlog.Hash{}
	for _, line := range lines {
		hashes = append(hashes, parseHash(line))
	}
	return hashes
}

// openNote returns the text that the key signed, and whether it did.
func openNote(vkey, data string) (string, bool) {
	verifier, err := note.NewVerifier(vkey)
	must(err)
	opened, err := note.Open([]byte(data), note.VerifierList(verifier))
	if err != nil {
		return "", false
	}
	return opened.Text, true
}

// openCheckpoint returns the tree of a note that the key signed, whose origin is the key's name.
func openCheckpoint(vkey, data string) (tlog.Tree, bool) {
	text, ok := openNote(vkey, data)
	lines := strings.Split(text, "\n")
	if !ok || len(lines) != 4 || lines[0] != strings.Split(vkey, "+")[0] {
		return tlog.Tree{}, false
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(size, 10) != lines[1] {
		return tlog.Tree{}, false
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err == nil
}

// proof is a c2sp.org/tlog-proof, with its checkpoint unchanged.
type proof struct {
	index      int64
	path       []tlog.Hash
	checkpoint string
}

func parseProof(text string) (proof, bool) {
	parts := strings.SplitN(text, "\n\n", 2)
	lines := strings.Split(parts[0], "\n")
	if len(parts) != 2 || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return proof{}, false
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	return proof{index, parseHashes(lines[2:]), parts[1]}, err == nil
}
