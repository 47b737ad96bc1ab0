// SPDX-License-Identifier: Apache-2.0
#include "core/json/read.hpp"

#include "core/json/number.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <optional>

namespace countersign::json {
namespace {

// Enough to recognise a member or a number, and short enough for a line of a card.
constexpr std::size_t where_bytes_max = 64;

bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Sorted instead of hashed: an agent that knows the hash function could make hashing slow.
std::optional<std::string_view> duplicate_name(const Object& object) {
    std::vector<std::string_view> names;
    names.reserve(object.members().size());
    for (const auto& member : object.members()) names.push_back(member.first);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return std::nullopt;
    return *twice;
}

// A recursive-descent parser for one text. The recursion is as deep as the document, so json_depth_max bounds it.
class Reader {
public:
    explicit Reader(std::string_view text) : text_{text} {}

    Result<Document> document() {
        skip_white_space();
        auto value = this->value(0);
        if (!value) return value.error();
        skip_white_space();
        if (at_ != text_.size()) return malformed("nothing may follow the value");
        return Document{.value = std::move(*value), .losses = std::move(losses_)};
    }

private:
    Result<Value> value(std::size_t depth) {
        const auto begin = at_;
        auto parsed = value_of_kind(depth);
        if (parsed) parsed->set_span({.begin = begin, .end = at_});
        return parsed;
    }

    Result<Value> value_of_kind(std::size_t depth) {
        switch (peek()) {
        case '{':
            return object(depth);
        case '[':
            return array(depth);
        case '"':
            return string_value();
        case 't':
            return literal("true", true);
        case 'f':
            return literal("false", false);
        case 'n':
            return literal("null", nullptr);
        default:
            return number();
        }
    }

    Result<Value> object(std::size_t depth) {
        if (depth == limits::json_depth_max) return too_deep();
        Object members;
        ++at_;
        skip_white_space();
        if (take('}')) return Value{std::move(members)};
        do {
            skip_white_space();
            if (peek() != '"') return malformed("a member begins with its name in quotes");
            auto name = string();
            if (!name) return name.error();
            skip_white_space();
            if (!take(':')) return malformed("a colon follows the name of a member");
            auto member = element(depth);
            if (!member) return member;
            members.add(std::move(*name), std::move(*member));
        } while (take(','));
        if (!take('}')) return malformed("a comma or } follows a member");
        if (const auto twice = duplicate_name(members)) note(Loss::duplicate_name, *twice);
        return Value{std::move(members)};
    }

    Result<Value> array(std::size_t depth) {
        if (depth == limits::json_depth_max) return too_deep();
        Array elements;
        ++at_;
        skip_white_space();
        if (take(']')) return Value{std::move(elements)};
        do {
            auto next = element(depth);
            if (!next) return next;
            elements.push_back(std::move(*next));
        } while (take(','));
        if (!take(']')) return malformed("a comma or ] follows an element");
        return Value{std::move(elements)};
    }

    Result<Value> element(std::size_t depth) {
        skip_white_space();
        auto inner = value(depth + 1);
        skip_white_space();
        return inner;
    }

    Result<Value> literal(std::string_view word, Value meaning) {
        if (!text_.substr(at_).starts_with(word)) return malformed("no such literal");
        at_ += word.size();
        return meaning;
    }

    Result<Value> number() {
        const auto length = number_length(text_.substr(at_));
        if (length == 0)
            return malformed(at_ == text_.size() ? "the text ends too early" : "no value begins like this");
        const auto lexeme = text_.substr(at_, length);
        at_ += length;
        if (const auto loss = form_of(lexeme).loss) note(*loss, lexeme);
        return Value{Number{std::string{lexeme}}};
    }

    Result<Value> string_value() {
        auto text = string();
        if (!text) return text.error();
        return Value{std::move(*text)};
    }

    Result<std::string> string() {
        std::string text;
        ++at_;
        for (take_plain(text); !take('"'); take_plain(text)) {
            if (at_ == text_.size()) return malformed("a string is not closed");
            if (static_cast<unsigned char>(text_[at_]) < 0x20) return malformed("a control character in a string");
            if (text_[at_] == '\\') {
                if (const auto escaped = escape(text); !escaped) return escaped.error();
                continue;
            }
            const auto point = utf8::decode(text_.substr(at_));
            if (!point) return malformed("invalid UTF-8");
            text.append(text_, at_, point->length);
            at_ += point->length;
        }
        return text;
    }

    // Appends characters that need no decoding, in one step.
    void take_plain(std::string& text) {
        const auto plain = [](char symbol) {
            return symbol >= 0x20 && symbol < 0x7F && symbol != '"' && symbol != '\\';
        };
        const auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), plain);
        const auto length = static_cast<std::size_t>(end - text_.begin()) - at_;
        text.append(text_, at_, length);
        at_ += length;
    }

    Result<void> escape(std::string& text) {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const auto letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (letter == 'u') return unicode_escape(text);
        const auto known = letters.find(letter);
        if (known == std::string_view::npos) return malformed("no such escape");
        text += meanings[known];
        at_ += 2;
        return {};
    }

    // One \uXXXX or a surrogate pair. JSON allows half a pair, but it isn't a Unicode character.
    Result<void> unicode_escape(std::string& text) {
        const auto unit = code_unit(at_);
        if (!unit) return malformed("four hexadecimal digits follow \\u");
        const auto next = is_high_surrogate(*unit) ? code_unit(at_ + 6) : std::nullopt;
        if (next && is_low_surrogate(*next)) {
            utf8::append(text, 0x10000 + ((*unit - 0xD800) << 10U) + (*next - 0xDC00));
            at_ += 12;
            return {};
        }
        if (is_high_surrogate(*unit) || is_low_surrogate(*unit)) note(Loss::lone_surrogate, text_.substr(at_, 6));
        utf8::append(text, *unit);  // a surrogate becomes U+FFFD
        at_ += 6;
        return {};
    }

    [[nodiscard]] std::optional<char32_t> code_unit(std::size_t at) const {
        const auto escape = at < text_.size() ? text_.substr(at, 6) : std::string_view{};
        if (escape.size() < 6 || !escape.starts_with("\\u")) return std::nullopt;
        char32_t unit = 0;
        for (const char symbol : escape.substr(2)) {
            const char lower = symbol >= 'A' && symbol <= 'F' ? static_cast<char>(symbol + ('a' - 'A')) : symbol;
            const auto digit = std::string_view{"0123456789abcdef"}.find(lower);
            if (digit == std::string_view::npos) return std::nullopt;
            unit = (unit << 4U) | static_cast<char32_t>(digit);
        }
        return unit;
    }

    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char symbol) {
        if (at_ == text_.size() || text_[at_] != symbol) return false;
        ++at_;
        return true;
    }

    void skip_white_space() {
        if (peek() > ' ') return;
        at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size());
    }

    void note(Loss loss, std::string_view where) {
        if (std::ranges::find(losses_, loss, &LossNote::loss) != losses_.end()) return;
        const auto head = utf8::head(where, where_bytes_max);
        losses_.push_back({.loss = loss, .where = std::string{head} + (head.size() < where.size() ? "…" : "")});
    }

    // Says where and why, but never quotes the text: arguments don't belong in the operator's log.
    [[nodiscard]] Error malformed(std::string_view why) const {
        return {.code = Errc::malformed, .detail = "JSON, byte " + std::to_string(at_) + ": " + std::string{why}};
    }
    [[nodiscard]] Error too_deep() const {
        return {.code = Errc::too_large, .detail = "JSON, byte " + std::to_string(at_) + ": nested too deeply"};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<LossNote> losses_;
};

}  // namespace

std::string_view name(Loss loss) {
    switch (loss) {
    case Loss::duplicate_name:
        return "duplicate_name";
    case Loss::lone_surrogate:
        return "lone_surrogate";
    case Loss::inexact_integer:
        return "inexact_integer";
    case Loss::inexact_fraction:
        return "inexact_fraction";
    case Loss::number_range:
        return "number_range";
    }
    return "number_range";
}

Result<Document> read(std::string_view text, std::size_t bytes_max) {
    if (text.size() > bytes_max) return Error{Errc::too_large, "JSON of more bytes than are read"};
    return Reader{text}.document();
}

}  // namespace countersign::json
