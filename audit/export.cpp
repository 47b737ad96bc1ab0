// SPDX-License-Identifier: Apache-2.0
#include "audit/export.hpp"

#include "audit/layout.hpp"
#include "audit/leaves.hpp"
#include "audit/log_scan.hpp"
#include "audit/long_text.hpp"
#include "audit/record_head.hpp"
#include "audit/tiles.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace countersign::audit {
namespace {

constexpr std::array<std::string_view, 4> export_names{checkpoint_name, "checkpoint.new", "tile", text_directory};

Error conflict(const Exporting& exporting, const std::string& why) {
    return {.code = Errc::conflict, .detail = exporting.target + " " + why + "; give a directory that is empty or new"};
}

// The tree of the earlier export, if there is one.
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
    const auto tree = open_checkpoint(*bytes, keys);
    if (!tree) return conflict(exporting, "holds the export of another log");
    return std::optional{*tree};
}

// Writes a temporary file and renames it. Not synced: after a power failure the export is repeated.
class ExportFiles {
public:
    explicit ExportFiles(const Exporting& exporting) : files_{exporting.files}, target_{exporting.target} {}

    Result<void> put(const std::string& path, std::string_view bytes) {
        if (auto made = make_directories(path); !made) return made;
        const auto whole = target_ + "/" + path;
        {
            auto file = files_.open(whole + ".new", FileSystem::Mode::create);
            if (!file) return file.error();
            if (auto written = write_all(**file, 0, bytes); !written) return written;
        }
        return files_.rename(whole + ".new", whole);
    }

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
};

// Exports a long text next to the tiles. The leaf contains its hash, so a reader who has verified one can verify the
// other.
Result<bool> put_text(const Exporting& exporting, ExportFiles& target, std::string_view json) {
    const auto head = read_head(json);
    if (!head) return head.error();
    if (head->text_file.empty()) return false;
    const auto text = read_long_text(exporting.files, exporting.directory, head->seq, head->text_file);
    if (!text) return text.error();
    if (auto put = target.put(std::string{text_directory} + "/" + head->text_file, *text); !put) return put.error();
    return true;
}

// Writes all tiles and returns their tree. The tree of the earlier export must be one of the log's earlier trees.
Result<Exported> put_tiles(const Exporting& exporting, ExportFiles& target, std::uint64_t size,
                           const std::optional<Tree>& earlier) {
    Exported exported;
    TileMaker maker{[&](const std::string& path, std::string_view bytes) {
        ++exported.tiles;
        return target.put(path, bytes);
    }};
    CompactRange range;
    const auto take = [&](std::string_view json) -> Result<void> {
        range.append(leaf_hash(json));
        if (earlier && earlier->size == range.size() && earlier->root != range.root()) {
            return conflict(exporting, "holds an export with another history");
        }
        const auto text = put_text(exporting, target, json);
        if (!text) return text.error();
        if (*text) ++exported.texts;
        return maker.take(json);
    };
    const auto read = each_leaf(exporting.files, exporting.directory, size, take,
                                {.doing = "exporting", .watch = exporting.progress});
    if (!read) return read.error();
    if (auto finished = maker.finish(); !finished) return finished.error();
    exported.tree = {.size = range.size(), .root = range.root()};
    return exported;
}

}  // namespace

Result<Exported> export_tiles(const Exporting& exporting) {
    const auto& [files, directory, key, target, progress] = exporting;
    const auto walked = walk(files, directory, key,
                             {.check = Chain::Check::last, .check_in_last = Chain::Check::last, .progress = progress});
    if (!walked) return walked.error();
    if (walked->broken) return *walked->broken;
    if (walked->tree.size == 0) return Error{Errc::damaged, "there is no signed record"};
    if (const auto made = files.make_directory(target); !made) return made.error();
    const auto earlier = earlier_export(exporting, walked->keys);
    if (!earlier) return earlier.error();
    if (*earlier && (*earlier)->size > walked->tree.size) return conflict(exporting, "holds more records than the log");

    ExportFiles written{exporting};
    auto exported = put_tiles(exporting, written, walked->tree.size, *earlier);
    if (!exported) return exported.error();
    const auto& tree = exported->tree;
    if (tree.root != walked->tree.root) return Error{Errc::damaged, "the log was changed while it was read"};
    const auto checkpoint = checkpoint_of(*walked);
    if (const auto replaced = replace(files, target, checkpoint_name, checkpoint); !replaced) return replaced.error();
    return exported;
}

}  // namespace countersign::audit
