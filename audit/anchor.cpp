// SPDX-License-Identifier: Apache-2.0
#include "audit/anchor.hpp"

#include "audit/lines.hpp"
#include "audit/note.hpp"
#include "audit/record.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <cctype>

namespace countersign::audit {
namespace {

constexpr std::size_t root_chars = 2 * sizeof(Hash);

class AnchorReader {
public:
    AnchorReader(std::string_view text, const LogKeys& keys) : rest_{text}, keys_{keys} {}

    Result<std::vector<Anchor>> read() {
        while (!rest_.empty()) {
            if (line() == keys_.origin()) {
                if (auto added = add(checkpoint()); !added) return added.error();
            } else if (line().empty() || line().starts_with('#')) {
                skip();
            } else if (auto added = add(short_root()); !added) {
                return added.error();
            }
        }
        if (anchors_.empty()) return Error{Errc::malformed, "there is no anchor in it"};
        std::ranges::sort(anchors_, {}, &Anchor::size);
        return std::move(anchors_);
    }

private:
    [[nodiscard]] std::string_view line() const { return first_line(rest_); }
    void skip() {
        rest_.remove_prefix(std::min(line().size() + 1, rest_.size()));
        ++number_;
    }

    Result<void> add(Result<Anchor> anchor) {
        if (!anchor) return Error{anchor.error().code, "line " + std::to_string(begin_) + ": " + anchor.error().detail};
        if (anchors_.size() == limits::anchors_max) return Error{Errc::too_large, "too many anchors"};
        anchors_.push_back(std::move(*anchor));
        return {};
    }

    // From the origin line over the empty line to the last signature.
    Result<Anchor> checkpoint() {
        begin_ = number_;
        const auto whole = rest_;
        while (!rest_.empty() && !line().empty()) skip();
        if (!rest_.empty()) skip();
        while (line().starts_with(signature_mark)) skip();
        std::string note{whole.substr(0, whole.size() - rest_.size())};
        if (!note.ends_with('\n')) note += '\n';  // a chat drops the last line break
        return parse_checkpoint_anchor(note, keys_);
    }

    Result<Anchor> short_root() {
        begin_ = number_;
        auto text = line();
        skip();
        // As a resolved chat message shows it: "record 42, anchor 44 abcdef0123456789".
        constexpr std::string_view word = "anchor ";
        if (const auto at = text.rfind(word); at != std::string_view::npos) text.remove_prefix(at + word.size());
        const auto space = text.find(' ');
        const auto size = parse_size(text.substr(0, space));
        if (space == std::string_view::npos || !size || *size == 0) {
            return Error{
                Errc::malformed,
                "an anchor is the number of records and their root, like 44 abcdef0123456789, or a whole checkpoint"};
        }
        std::string root{text.substr(space + 1)};
        const bool hex = std::ranges::all_of(root, [](unsigned char c) { return std::isxdigit(c) != 0; });
        if (!hex || root.size() < limits::anchor_root_chars_min || root.size() > root_chars) {
            return Error{Errc::malformed, "a root is " + std::to_string(limits::anchor_root_chars_min) + " to " +
                                              std::to_string(root_chars) + " hexadecimal digits"};
        }
        std::ranges::transform(root, root.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return Anchor{.size = *size, .root = std::move(root)};
    }

    std::string_view rest_;
    const LogKeys& keys_;
    std::vector<Anchor> anchors_;
    std::size_t number_ = 1;
    std::size_t begin_ = 1;  // first line of the anchor that is being read
};

}  // namespace

bool agrees(const Anchor& anchor, const Tree& tree) {
    return anchor.size == tree.size && security::hex(tree.root).starts_with(anchor.root);
}

LogEntry posted_record(const Place& place, const Tree& tree) {
    return {.kind = std::string{anchor_kind},
            .fields = {{"channel", place.channel},
                       {"chat", place.chat},
                       {"message", place.message},
                       {"size", tree.size},
                       {"root", security::base64(tree.root)}},
            .long_text = {}};
}

LogEntry cosigned_record(const NoteKey& witness, const Tree& tree) {
    return {.kind = std::string{anchor_kind},
            .fields = {{"witness", witness.name()}, {"size", tree.size}, {"root", security::base64(tree.root)}},
            .long_text = {}};
}

Result<Anchor> parse_checkpoint_anchor(std::string_view note, const LogKeys& keys) {
    const auto tree = open_checkpoint(note, keys);
    if (!tree) return tree.error();
    if (tree->size == 0) return Error{Errc::malformed, "a checkpoint of no records proves nothing"};
    return Anchor{.size = tree->size, .root = security::hex(tree->root), .note = std::string{note}};
}

Result<std::vector<Anchor>> parse_anchors(std::string_view text, const LogKeys& keys) {
    return AnchorReader{text, keys}.read();
}

}  // namespace countersign::audit
