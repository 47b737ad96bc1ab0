// SPDX-License-Identifier: Apache-2.0

// Checks Countersign's statements about its log with golang.org/x/mod/sumdb, which isn't our code.
//
//	check_log VKEY TILES PROOFS
//
// TILES is a directory as `audit export --tiles` writes it. PROOFS contains N.tlog-proof with N.record, and N.tree: the
// size and root of an older tree, and the hashes from it to the latest. Every proof is checked and rebuilt from the
// tiles.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

func parseTree(size, root string) tlog.Tree {
	n, err := strconv.ParseInt(size, 10, 64)
	must(err)
	return tlog.Tree{N: n, Hash: parseHash(root)}
}

func equal(left, right []tlog.Hash) bool {
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if left[i] != right[i] {
			return false
		}
	}
	return true
}

// tiles reads the export. Go's paths contain the height of a tile, C2SP's don't.
type tiles struct{ directory string }

func (tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := [][]byte{}
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, err := os.ReadFile(filepath.Join(t.directory, path))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// checkBundles compares every record of the entry bundles with the leaf hash in the tiles.
func checkBundles(directory string, tree tlog.Tree, reader tlog.HashReader) {
	for first := int64(0); first < tree.N; first += 256 {
		tile := tlog.Tile{H: 8, L: 0, N: first / 256, W: int(min(256, tree.N-first))}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		data := read(filepath.Join(directory, path))
		places := []int64{}
		for i := first; i < first+int64(tile.W); i++ {
			places = append(places, tlog.StoredHashIndex(0, i))
		}
		leaves, err := reader.ReadHashes(places)
		must(err)
		for i, leaf := range leaves {
			require(len(data) >= 2, "%s ends too early", path)
			length := int(data[0])<<8 | int(data[1])
			require(len(data) >= 2+length, "%s ends too early", path)
			require(leaf == tlog.RecordHash(data[2:2+length]), "record %d of %s is not its leaf", i, path)
			data = data[2+length:]
		}
		require(len(data) == 0, "%s has more than its records", path)
	}
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func checkRecord(path, vkey string, latest tlog.Tree, reader tlog.HashReader) {
	given, ok := parseProof(string(read(path)))
	require(ok, "%s is no proof", path)
	tree, ok := openCheckpoint(vkey, given.checkpoint)
	require(ok && tree == latest, "%s is of another tree", path)
	record := read(strings.TrimSuffix(path, ".tlog-proof") + ".record")
	must(tlog.CheckRecord(given.path, tree.N, tree.Hash, given.index, tlog.RecordHash(record)))
	again, err := tlog.ProveRecord(tree.N, given.index, reader)
	must(err)
	require(equal(given.path, again), "%s is not the proof that the tiles give", path)
}

func checkTree(path string, latest tlog.Tree, reader tlog.HashReader) {
	lines := strings.Split(strings.TrimSpace(string(read(path))), "\n")
	older := parseTree(lines[0], lines[1])
	proof := parseHashes(lines[2:])
	must(tlog.CheckTree(proof, latest.N, latest.Hash, older.N, older.Hash))
	again, err := tlog.ProveTree(latest.N, older.N, reader)
	must(err)
	require(equal(proof, again), "%s is not the proof that the tiles give", path)
}

func main() {
	require(len(os.Args) == 4, "usage: check_log VKEY TILES PROOFS")
	vkey := strings.TrimSpace(string(read(os.Args[1])))
	directory := os.Args[2]
	latest, ok := openCheckpoint(vkey, string(read(filepath.Join(directory, "checkpoint"))))
	require(ok, "no checkpoint of %s", vkey)
	reader := tlog.TileHashReader(latest, tiles{directory})
	checkBundles(directory, latest, reader)
	records, err := filepath.Glob(filepath.Join(os.Args[3], "*.tlog-proof"))
	must(err)
	for _, path := range records {
		checkRecord(path, vkey, latest, reader)
	}
	trees, err := filepath.Glob(filepath.Join(os.Args[3], "*.tree"))
	must(err)
	for _, path := range trees {
		checkTree(path, latest, reader)
	}
	fmt.Printf("%d %s, %d records and %d trees proved\n", latest.N,
		base64.StdEncoding.EncodeToString(latest.Hash[:]), len(records), len(trees))
}
