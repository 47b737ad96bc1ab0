// SPDX-License-Identifier: Apache-2.0
#include "audit/export.hpp"

#include "audit/layout.hpp"
#include "audit/leaves.hpp"
#include "audit/tiles.hpp"
#include "audit/walk.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace countersign::audit {
namespace {

constexpr std::array<std::string_view, 3> export_names{checkpoint_name, "checkpoint.new", "tile"};

Error conflict(const Exporting& exporting, const std::string& why) {
    return {.code = Errc::conflict, .detail = exporting.target + " " + why + "; give a directory that is empty or new"};
}

// The tree of an earlier export, if there is one.
Result<std::optional<Tree>> earlier_export(const Exporting& exporting, const LogKeys& keys) {
    auto& files = exporting.files;
    const auto names = files.list(exporting.target);
    if (!names) return names.error();
    for (const auto& name : *names) {
        if (std::ranges::find(export_names, name) == export_names.end()) {
            return conflict(exporting, "holds " + name + ", which is no part of an export");
        }
    }
    if (std::ranges::find(*names, checkpoint_name) == names->end()) return std::optional<Tree>{};
    const auto bytes = read_whole(files, exporting.target + "/" + checkpoint_name, limits::record_bytes_max);
    if (!bytes) return bytes.error();
    const auto text = open_note(*bytes, keys.all());
    const auto tree = text ? parse_checkpoint(*text, keys.origin()) : Result<Tree>{text.error()};
    if (!tree) return conflict(exporting, "holds the export of another log");
    return std::optional{*tree};
}

// Writes a file beside and renames it. Not synced: after a power cut the export is made again.
class TileFiles {
public:
    explicit TileFiles(const Exporting& exporting) : files_{exporting.files}, target_{exporting.target} {}

    Result<void> put(const std::string& path, std::string_view bytes) {
        if (auto made = make_directories(path); !made) return made;
        const auto whole = target_ + "/" + path;
        {
            auto file = files_.open(whole + ".new", FileSystem::Mode::create);
            if (!file) return file.error();
            if (auto written = write_all(**file, 0, bytes); !written) return written;
        }
        ++count_;
        return files_.rename(whole + ".new", whole);
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

private:
    Result<void> make_directories(const std::string& path) {
        const auto parent = path.substr(0, path.rfind('/'));
        if (parent == made_) return {};
        for (auto end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
            if (auto made = files_.make_directory(target_ + "/" + path.substr(0, end)); !made) return made;
        }
        made_ = parent;
        return {};
    }

    FileSystem& files_;
    const std::string& target_;
    std::string made_;
    std::uint64_t count_ = 0;
};

// All tiles, and the tree that they make. The log must go through the tree that an earlier export has shown.
Result<Tree> put_tiles(const Exporting& exporting, TileFiles& tiles, std::uint64_t size,
                       const std::optional<Tree>& earlier) {
    TileMaker maker{[&](const std::string& path, std::string_view bytes) { return tiles.put(path, bytes); }};
    CompactRange range;
    const auto read = each_leaf(exporting.files, exporting.directory, size, [&](std::string_view json) -> Result<void> {
        range.append(leaf_hash(json));
        if (earlier && earlier->size == range.size() && earlier->root != range.root()) {
            return conflict(exporting, "holds an export with another history");
        }
        return maker.take(json);
    });
    if (!read) return read.error();
    if (auto finished = maker.finish(); !finished) return finished.error();
    return Tree{.size = range.size(), .root = range.root()};
}

}  // namespace

Result<Exported> export_tiles(const Exporting& exporting) {
    const auto& [files, directory, key, target] = exporting;
    const auto walked = walk(files, directory, key, {.check = Chain::Check::last, .check_in_last = Chain::Check::last});
    if (!walked) return walked.error();
    if (walked->broken) return *walked->broken;
    if (walked->tree.size == 0) return Error{Errc::damaged, "there is no signed record"};
    if (const auto made = files.make_directory(target); !made) return made.error();
    const auto earlier = earlier_export(exporting, walked->keys);
    if (!earlier) return earlier.error();
    if (*earlier && (*earlier)->size > walked->tree.size) return conflict(exporting, "holds more records than the log");

    TileFiles tiles{exporting};
    const auto tree = put_tiles(exporting, tiles, walked->tree.size, *earlier);
    if (!tree) return tree.error();
    if (tree->root != walked->tree.root) return Error{Errc::damaged, "the log was changed while it was read"};
    if (const auto replaced = replace(files, target, checkpoint_name, checkpoint_of(*walked)); !replaced)
        return replaced.error();
    return Exported{.tree = *tree, .tiles = tiles.count()};
}

}  // namespace countersign::audit
