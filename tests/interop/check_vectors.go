// SPDX-License-Identifier: Apache-2.0

// Checks the vectors of tests/data/vectors with golang.org/x/mod/sumdb, and the cosignatures, which that library
// doesn't support, with Go's own Ed25519.
//
//	check_vectors DIRECTORY
package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

type merkle struct {
	Leaves []struct{ Data, LeafHash string }
	Roots  []struct {
		Size int64
		Root string
	}
	Inclusion []struct {
		Index, Size int64
		Path        []string
	}
	Consistency []struct {
		Older, Newer int64
		Path         []string
	}
}

type signed struct {
	Notes []struct {
		Vkey, Text, Note, Why string
		Valid                 bool
	}
	Checkpoints []struct {
		Vkey, Checkpoint, Origin, Root, Why string
		Size                                int64
		Valid                               bool
	}
	Cosignatures []struct {
		Vkey, Witness, Checkpoint, Why string
		Time                           uint64
		Valid                          bool
	}
	Proofs []struct {
		Vkey, Proof, Record, Why string
		Valid                    bool
	}
}

func readJSON(directory, name string, into any) {
	decoder := json.NewDecoder(bytes.NewReader(read(filepath.Join(directory, name))))
	decoder.DisallowUnknownFields()
	must(decoder.Decode(into))
}

func fromHex(text string) []byte {
	data, err := hex.DecodeString(text)
	must(err)
	return data
}

func checkMerkle(vectors merkle) {
	stored := []tlog.Hash{}
	reader := tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		found := []tlog.Hash{}
		for _, place := range places {
			found = append(found, stored[place])
		}
		return found, nil
	})
	leaves := []tlog.Hash{}
	for i, leaf := range vectors.Leaves {
		data := fromHex(leaf.Data)
		leaves = append(leaves, tlog.RecordHash(data))
		require(leaves[i].String() == leaf.LeafHash, "leaf %d", i)
		more, err := tlog.StoredHashes(int64(i), data, reader)
		must(err)
		stored = append(stored, more...)
	}
	roots := map[int64]tlog.Hash{}
	for _, root := range vectors.Roots {
		roots[root.Size] = parseHash(root.Root)
		if root.Size == 0 { // not supported by this library: the hash of no bytes, as in RFC 6962
			require(root.Root == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "the root of nothing")
			continue
		}
		made, err := tlog.TreeHash(root.Size, reader)
		must(err)
		require(made == roots[root.Size], "the root of %d", root.Size)
	}
	for _, proof := range vectors.Inclusion {
		err := tlog.CheckRecord(parseHashes(proof.Path), proof.Size, roots[proof.Size], proof.Index, leaves[proof.Index])
		require(err == nil, "record %d of %d: %v", proof.Index, proof.Size, err)
	}
	for _, proof := range vectors.Consistency {
		err := tlog.CheckTree(parseHashes(proof.Path), proof.Newer, roots[proof.Newer], proof.Older, roots[proof.Older])
		require(err == nil, "tree %d of %d: %v", proof.Older, proof.Newer, err)
	}
}

// cosigned returns the time of the witness's cosignature; c2sp.org/tlog-cosignature.
func cosigned(witness, data string) (uint64, bool) {
	parts := strings.SplitN(witness, "+", 3)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	must(err)
	require(len(key) == 33 && key[0] == 4, "%s is no witness", witness)
	split := strings.LastIndex(data, "\n\n")
	for _, line := range strings.Split(data[split+2:], "\n") {
		words := strings.Split(line, " ")
		if len(words) != 3 || words[1] != parts[0] {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(words[2])
		if err != nil || len(signature) != 76 || hex.EncodeToString(signature[:4]) != parts[1] {
			continue
		}
		seconds := binary.BigEndian.Uint64(signature[4:12])
		message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, data[:split+1])
		return seconds, ed25519.Verify(key[1:], []byte(message), signature[12:])
	}
	return 0, false
}

func proved(vkey, text string, record []byte) bool {
	given, ok := parseProof(text)
	if !ok {
		return false
	}
	tree, ok := openCheckpoint(vkey, given.checkpoint)
	return ok && tlog.CheckRecord(given.path, tree.N, tree.Hash, given.index, tlog.RecordHash(record)) == nil
}

func checkSigned(vectors signed) {
	for _, one := range vectors.Notes {
		text, ok := openNote(one.Vkey, one.Note)
		require((ok && text == one.Text) == one.Valid, "a note: %s", one.Why)
	}
	for _, one := range vectors.Checkpoints {
		tree, ok := openCheckpoint(one.Vkey, one.Checkpoint)
		holds := ok && tree.N == one.Size && tree.Hash.String() == one.Root
		require(holds == one.Valid, "a checkpoint: %s", one.Why)
	}
	for _, one := range vectors.Cosignatures {
		_, logged := openCheckpoint(one.Vkey, one.Checkpoint)
		seconds, ok := cosigned(one.Witness, one.Checkpoint)
		require((logged && ok && seconds == one.Time) == one.Valid, "a cosignature: %s", one.Why)
	}
	for _, one := range vectors.Proofs {
		require(proved(one.Vkey, one.Proof, fromHex(one.Record)) == one.Valid, "a proof: %s", one.Why)
	}
}

func main() {
	require(len(os.Args) == 2, "usage: check_vectors DIRECTORY")
	var trees merkle
	var notes signed
	readJSON(os.Args[1], "merkle.json", &trees)
	readJSON(os.Args[1], "signed.json", &notes)
	checkMerkle(trees)
	checkSigned(notes)
	fmt.Printf("%d checks hold\n", checked)
}
