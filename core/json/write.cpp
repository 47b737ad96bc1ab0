// SPDX-License-Identifier: Apache-2.0
#include "core/json/write.hpp"

#include "core/json/number.hpp"
#include "core/json/plain.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <list>

namespace countersign::json {
namespace {

// Orders the bytes of UTF-8 as UTF-16 orders its units. The two differ in one thing: a surrogate pair (lead bytes F0 to
// F4) comes before U+E000 to U+FFFF (lead bytes EE and EF).
unsigned utf16_rank(char symbol) {
    const auto byte = static_cast<unsigned char>(symbol);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10U : byte;
}

struct Named {
    std::uint64_t begin;  // how the name begins, as a number in the same order: most names differ there
    std::string_view name;
    bool plain;             // the name stands for itself
    std::size_t place;      // members of one name stay in their order
    const Value* value;     // or, where there is none,
    std::string_view json;  // its text
};

// How the name begins, first byte highest.
std::uint64_t begin_of(std::string_view name, bool plain) {
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    std::uint64_t begin = 0;
    if (plain && std::endian::native == std::endian::little) {
        std::memcpy(&begin, name.data(), std::min(name.size(), bytes));
        return __builtin_bswap64(begin);
    }
    for (std::size_t i = 0; i < bytes; ++i) begin = begin << 8U | (i < name.size() ? utf16_rank(name[i]) : 0);
    return begin;
}

bool before(const Named& left, const Named& right) {
    if (left.begin != right.begin) return left.begin < right.begin;
    const auto [ours, theirs] = std::ranges::mismatch(left.name, right.name);
    if (theirs == right.name.end()) return ours == left.name.end() && left.place < right.place;
    return ours == left.name.end() || utf16_rank(*ours) < utf16_rank(*theirs);
}

void write_control(std::string& out, char symbol) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (symbol) {
    case '\b':
        out += "\\b";
        return;
    case '\t':
        out += "\\t";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\f':
        out += "\\f";
        return;
    case '\r':
        out += "\\r";
        return;
    default:
        out += "\\u00";
        out += digits[static_cast<unsigned char>(symbol) >> 4U];
        out += digits[static_cast<unsigned char>(symbol) & 15U];
    }
}

// Precondition: valid UTF-8.
void write_valid(std::string& out, std::string_view text) {
    out += '"';
    for (auto rest = text; !rest.empty();) {
        const auto plain = plain_length(rest);
        out.append(rest, 0, plain);
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        if (rest.front() == '"' || rest.front() == '\\') {
            out += '\\';
            out += rest.front();
        } else if (static_cast<unsigned char>(rest.front()) < 0x20) {
            write_control(out, rest.front());
        } else {
            out += rest.front();
        }
        rest.remove_prefix(1);
    }
    out += '"';
}

void write_string(std::string& out, std::string_view text) {
    if (plain_length(text) == text.size()) {
        out += '"';
        out += text;
        out += '"';
        return;
    }
    if (utf8::valid(text)) return write_valid(out, text);
    write_valid(out, utf8::repaired(text));
}

void write_number(std::string& out, std::string_view lexeme) {
    if (is_plain_integer(lexeme)) {
        out += lexeme;
        return;
    }
    const auto form = canonical_number(lexeme);
    out += form ? *form : "null";
}

void write(std::string& out, const Value& value);

void write_array(std::string& out, const Array& array) {
    out += '[';
    for (const auto& element : array) {
        if (&element != &array.front()) out += ',';
        write(out, element);
    }
    out += ']';
}

void write_object(std::string& out, const Object& object, std::span<const ReadyMember> more = {}) {
    // Repaired before they are sorted, or the order would not be that of the bytes written.
    std::vector<Named> members;
    members.reserve(object.members().size() + more.size());
    std::list<std::string> repaired;
    const auto add = [&members](std::string_view name, bool plain, const Value* value, std::string_view json) {
        members.push_back({.begin = begin_of(name, plain),
                           .name = name,
                           .plain = plain,
                           .place = members.size(),
                           .value = value,
                           .json = json});
    };
    for (const auto& [name, value] : object.members()) {
        const bool plain = plain_length(name) == name.size();
        const bool valid = plain || utf8::valid(name);
        add(valid ? name : repaired.emplace_back(utf8::repaired(name)), plain, &value, {});
    }
    for (const auto& [name, json] : more) add(name, true, nullptr, json);
    std::ranges::sort(members, before);

    out += '{';
    bool first = true;
    for (auto member = members.begin(); member != members.end(); ++member) {
        const auto next = member + 1;
        if (next != members.end() && next->name == member->name) continue;  // the last of a name counts
        if (!first) out += ',';
        first = false;
        if (member->plain) {
            out.append(1, '"').append(member->name).append("\":");
        } else {
            write_valid(out, member->name);
            out += ':';
        }
        if (member->value != nullptr) {
            write(out, *member->value);
        } else {
            out += member->json;
        }
    }
    out += '}';
}

void write(std::string& out, const Value& value) {
    if (const auto* truth = value.boolean()) {
        out += *truth ? "true" : "false";
    } else if (const auto* number = value.number()) {
        write_number(out, number->lexeme);
    } else if (const auto* text = value.string()) {
        write_string(out, *text);
    } else if (const auto* array = value.array()) {
        write_array(out, *array);
    } else if (const auto* object = value.object()) {
        write_object(out, *object);
    } else {
        out += "null";
    }
}

constexpr std::size_t bytes_of_most = 1024;

}  // namespace

std::string canonical(const Value& value) {
    std::string out;
    if (value.object() != nullptr) out.reserve(bytes_of_most);
    write(out, value);
    return out;
}

std::string canonical(const Object& object, std::span<const ReadyMember> more) {
    std::string out;
    out.reserve(bytes_of_most);
    write_object(out, object, more);
    return out;
}

}  // namespace countersign::json
