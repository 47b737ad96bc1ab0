// SPDX-License-Identifier: Apache-2.0
#include "audit/record_head.hpp"

#include "audit/record.hpp"
#include "core/json/plain.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

namespace countersign::audit {
namespace {

constexpr std::size_t digits_max = 15;  // a double represents every integer of this length
constexpr std::size_t depth_max = 8;    // deeper values take the slow path
static_assert(depth_max < limits::json_depth_max);

// Scans canonical JSON as encode_record writes it: no white space, members sorted and therefore unique. Every function
// returns whether it understood the input.
class HeadScanner {
public:
    explicit HeadScanner(std::string_view json) : rest_{json} {}

    std::optional<RecordHead> scan() {
        const auto member = [this](std::string_view name) { return this->member(name); };
        if (!object(member) || !rest_.empty() || found_ != all) return std::nullopt;
        return std::move(head_);
    }

private:
    enum Found : unsigned { v = 1, seq = 2, synced = 4, prev_root = 8, kind = 16, ts = 32, all = 63 };

    // Switches on the first letter, because most members are none of these.
    bool member(std::string_view name) {
        switch (name.empty() ? '\0' : name.front()) {
        case 'k':
            if (name == "kind") return text(head_.kind) && !head_.kind.empty() && note(kind);
            break;
        case 'p':
            if (name == "prevRoot") return plain(text_) && root() && note(prev_root);
            break;
        case 's':
            if (name == "seq") return number(head_.seq) && note(seq);
            if (name == "synced") return number(head_.synced) && note(synced);
            break;
        case 't':
            if (name == "ts") return plain(text_) && !text_.empty() && note(ts);
            if (name == "textFile") return text(head_.text_file);
            break;
        case 'v':
            if (name == "v") return take("1") && note(v);
            break;
        default:
            break;
        }
        return value(1);
    }
    bool note(Found found) {
        found_ |= found;
        return true;
    }
    bool root() {
        const auto hash = parse_hash(text_);
        if (hash) head_.prev_root = *hash;
        return hash.has_value();
    }

    bool value(std::size_t depth) {
        if (depth > depth_max || rest_.empty()) return false;
        switch (rest_.front()) {
        case '"':
            return string();
        case '{':
            return object([&](std::string_view) { return value(depth + 1); });
        case '[':
            return array(depth);
        case 't':
            return take("true");
        case 'f':
            return take("false");
        case 'n':
            return take("null");
        default:
            std::uint64_t ignored = 0;
            return number(ignored);
        }
    }

    template <class Member> bool object(const Member& of_name) {
        if (!take("{")) return false;
        if (take("}")) return true;
        std::string_view before;
        bool first = true;
        do {
            std::string_view name;
            if (!plain(name) || !take(":")) return false;
            if (!first && name <= before) return false;
            first = false;
            before = name;
            if (!of_name(name)) return false;
        } while (take(","));
        return take("}");
    }

    bool array(std::size_t depth) {
        if (!take("[")) return false;
        if (take("]")) return true;
        do {
            if (!value(depth + 1)) return false;
        } while (take(","));
        return take("]");
    }

    bool number(std::uint64_t& into) {
        std::size_t length = 0;
        into = 0;
        for (; length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9'; ++length) {
            if (length == digits_max) return false;
            into = into * 10 + static_cast<std::uint64_t>(rest_[length] - '0');
        }
        if (length == 0 || (length > 1 && rest_.front() == '0')) return false;
        rest_.remove_prefix(length);
        return true;  // a fraction or exponent is not a comma, so it ends the scan
    }

    // A string of plain ASCII only.
    bool plain(std::string_view& into) {
        if (!take("\"")) return false;
        into = rest_.substr(0, json::plain_length(rest_));
        rest_.remove_prefix(into.size());
        return take("\"");
    }
    bool text(std::string& into) {
        std::string_view view;
        if (!plain(view)) return false;
        into = view;
        return true;
    }

    bool string() {
        constexpr std::string_view escapes = "\"\\/bfnrt";
        if (!take("\"")) return false;
        while (true) {
            rest_.remove_prefix(json::plain_length(rest_));
            if (take("\"")) return true;
            if (rest_.size() < 2) return false;
            if (rest_.front() == '\\') {
                if (escapes.find(rest_[1]) == std::string_view::npos) return false;
                rest_.remove_prefix(2);
                continue;
            }
            const auto point = utf8::decode(rest_);
            if (!point || point->value < 0x20) return false;
            rest_.remove_prefix(point->length);
        }
    }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string_view rest_;
    RecordHead head_;
    std::string_view text_;  // the value of the current member
    unsigned found_ = 0;
};

}  // namespace

std::optional<RecordHead> scan_head(std::string_view json) {
    if (json.size() > limits::record_bytes_max) return std::nullopt;
    return HeadScanner{json}.scan();
}

Result<RecordHead> read_head(std::string_view json) {
    if (auto head = scan_head(json)) return std::move(*head);
    auto record = parse_record(json);
    if (!record) return record.error();
    return RecordHead{.seq = record->seq,
                      .synced = record->synced,
                      .prev_root = record->prev_root,
                      .kind = std::move(record->kind),
                      .text_file = std::string{record->text("textFile")}};
}

}  // namespace countersign::audit
