// SPDX-License-Identifier: Apache-2.0
#include "audit/last_seen.hpp"

#include "audit/layout.hpp"
#include "audit/lines.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit {
namespace {

Result<void> keep(FileSystem& files, const std::string& directory, const char* where, const std::string& name,
                  std::string_view bytes) {
    const auto inside = directory + "/" + where;
    if (auto made = files.make_directory(inside); !made) return made;
    if (auto synced = files.sync_directory(directory); !synced) return synced;
    return replace(files, inside, file_name_of(name), bytes);
}

std::optional<std::string> kept(FileSystem& files, const std::string& directory, const char* where,
                                const std::string& name) {
    const auto path = directory + "/" + where + "/" + file_name_of(name);
    const auto there = files.exists(path);
    if (!there || !*there) return std::nullopt;
    auto bytes = read_whole(files, path, limits::cosigned_note_bytes_max);
    if (!bytes) return std::nullopt;
    return std::move(*bytes);
}

// The tree size in a checkpoint's second line.
std::optional<std::uint64_t> size_in(std::string_view note) {
    const auto origin = take_line(note);
    const auto line = take_line(note);
    if (!origin || !line) return std::nullopt;
    const auto size = parse_size(*line);
    return size ? std::optional{*size} : std::nullopt;
}

constexpr std::string_view posted = "# posted ";

}  // namespace

Result<void> keep_cosigned(FileSystem& files, const std::string& directory, const NoteKey& witness,
                           std::string_view note) {
    return keep(files, directory, cosigned_directory, witness.name(), note);
}

std::optional<LastSeen> last_cosigned(FileSystem& files, const std::string& directory, const NoteKey& witness) {
    const auto note = kept(files, directory, cosigned_directory, witness.name());
    if (!note) return std::nullopt;
    const auto seconds = cosigned_at(*note, witness);
    const auto size = size_in(*note);
    if (!seconds || !*seconds || !size) return std::nullopt;
    return LastSeen{.size = *size, .seconds = **seconds};
}

Result<void> keep_posted(FileSystem& files, const std::string& directory, const std::string& place,
                         std::uint64_t seconds, std::string_view note) {
    const auto text = std::string{posted} + std::to_string(seconds) + "\n" + std::string{note};
    return keep(files, directory, posted_directory, place, text);
}

std::optional<LastSeen> last_posted(FileSystem& files, const std::string& directory, const std::string& place) {
    const auto text = kept(files, directory, posted_directory, place);
    if (!text || !text->starts_with(posted)) return std::nullopt;
    std::string_view note = *text;
    const auto line = take_line(note);
    const auto size = size_in(note);
    if (!line || !size) return std::nullopt;
    const auto seconds = parse_size(line->substr(posted.size()));
    if (!seconds) return std::nullopt;
    return LastSeen{.size = *size, .seconds = *seconds};
}

Result<std::vector<Anchor>> cosigned_anchors(FileSystem& files, const std::string& directory, const LogKeys& keys,
                                             const std::vector<NoteKey>& witnesses) {
    std::vector<Anchor> anchors;
    const auto inside = directory + "/" + cosigned_directory;
    for (const auto& witness : witnesses) {
        const auto path = inside + "/" + file_name_of(witness.name());
        const auto there = files.exists(path);
        if (!there) return there.error();
        if (!*there) continue;
        const auto note = read_whole(files, path, limits::cosigned_note_bytes_max);
        if (!note) return note.error();
        const auto about = [&](const std::string& why) {
            return Error{Errc::bad_signature, "the checkpoint that " + witness.name() + " cosigned: " + why};
        };
        const auto seconds = cosigned_at(*note, witness);
        if (!seconds) return about(seconds.error().detail);
        if (!*seconds) return about("it is not cosigned by the key you gave");
        auto anchor = parse_checkpoint_anchor(*note, keys);
        if (!anchor) return about(anchor.error().detail);
        anchors.push_back(std::move(*anchor));
    }
    return anchors;
}

Result<std::vector<Anchor>> anchors_beside(FileSystem& files, const std::string& directory, const LogKeys& keys) {
    std::vector<Anchor> anchors;
    const auto inside = directory + "/" + cosigned_directory;
    const auto there = files.exists(inside);
    if (!there) return there.error();
    if (!*there) return anchors;
    auto names = files.list(inside);
    if (!names) return names.error();
    names->resize(std::min(names->size(), limits::log_witnesses_max));
    for (const auto& name : *names) {
        const auto note = read_whole(files, inside + "/" + name, limits::cosigned_note_bytes_max);
        if (!note && note.error().code == Errc::unavailable) return note.error();
        if (!note) continue;
        if (auto anchor = parse_checkpoint_anchor(*note, keys)) anchors.push_back(std::move(*anchor));
    }
    std::ranges::sort(anchors, {}, &Anchor::size);
    return anchors;
}

}  // namespace countersign::audit
