// SPDX-License-Identifier: Apache-2.0
#include "core/json/write.hpp"

#include "core/json/number.hpp"
#include "core/json/plain.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory_resource>
#include <numeric>

namespace countersign::json {
namespace {

// Enough space for most objects and their texts.
constexpr std::size_t members_of_most = 24;
constexpr std::size_t bytes_of_most = 1024;

// Sorts UTF-8 bytes in the order of UTF-16 units. The orders differ in only one case: a surrogate pair (lead bytes F0
// to F4) sorts before U+E000 to U+FFFF (lead bytes EE and EF).
unsigned utf16_rank(char symbol) {
    const auto byte = static_cast<unsigned char>(symbol);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10U : byte;
}

struct Named {
    std::string_view name = {};
    bool plain = true;             // the name needs no escapes
    const Value* value = nullptr;  // either this or `ready`
    ReadyMember* ready = nullptr;
};

// The first eight bytes of the name as a number that sorts like its UTF-16 units.
std::uint64_t begin_of(std::string_view name, bool plain) {
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    std::uint64_t begin = 0;
    if (plain && name.size() >= bytes && std::endian::native == std::endian::little) {
        std::memcpy(&begin, name.data(), bytes);
        return __builtin_bswap64(begin);
    }
    for (std::size_t i = 0; i < bytes; ++i) begin = begin << 8U | (i < name.size() ? utf16_rank(name[i]) : 0);
    return begin;
}

bool before(std::string_view left, std::string_view right) {
    const auto [ours, theirs] = std::ranges::mismatch(left, right);
    if (theirs == right.end()) return false;
    return ours == left.end() || utf16_rank(*ours) < utf16_rank(*theirs);
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

// The sorting space of most objects fits on the stack.
constexpr std::size_t bytes_a_member = sizeof(Named) + sizeof(std::uint64_t) + sizeof(std::uint32_t);
using Places = std::pmr::vector<std::uint32_t>;

void write(std::string& out, const Value& value);

void write_array(std::string& out, const Array& array) {
    out += '[';
    for (const auto& element : array) {
        if (&element != &array.front()) out += ',';
        write(out, element);
    }
    out += ']';
}

// Writes the sorted order of `begins`. For few numbers it counts, for each one, how many are smaller, which needs no
// data-dependent branches.
void order_by(std::span<const std::uint64_t> begins, std::span<std::uint32_t> order) {
    const auto count = static_cast<std::uint32_t>(begins.size());
    if (count > members_of_most) {
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, {}, [&](std::uint32_t place) { return begins[place]; });
        return;
    }
    std::array<std::uint32_t, members_of_most> ranks;
    const auto* numbers = begins.data();
    auto* rank_of = ranks.data();
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t rank = 0;
        for (std::uint32_t j = 0; j < i; ++j) {
            const auto later = static_cast<std::uint32_t>(numbers[j] > numbers[i]);
            rank_of[j] += later;
            rank += 1 - later;
        }
        rank_of[i] = rank;
    }
    for (std::uint32_t i = 0; i < count; ++i) order[rank_of[i]] = i;
}

// The members sorted by name; equal names keep their order.
Places in_order(const std::pmr::vector<Named>& members) {
    std::pmr::vector<std::uint64_t> begins{members.get_allocator()};
    begins.reserve(members.size());
    for (const auto& member : members) begins.push_back(begin_of(member.name, member.plain));
    Places order(members.size(), members.get_allocator());
    order_by(begins, order);
    for (auto from = order.begin(); from != order.end();) {
        auto to = from + 1;
        while (to != order.end() && begins[*to] == begins[*from]) ++to;
        if (to - from > 1) {
            std::sort(from, to, [&](std::uint32_t left, std::uint32_t right) {
                const auto& ours = members[left].name;
                const auto& theirs = members[right].name;
                return ours == theirs ? left < right : before(ours, theirs);
            });
        }
        from = to;
    }
    return order;
}

void write_object(std::string& out, const Object& object, std::span<ReadyMember> more = {}) {
    // Names are repaired before they are sorted; otherwise the order wouldn't match the bytes written.
    std::array<std::byte, members_of_most * bytes_a_member> room;
    std::pmr::monotonic_buffer_resource memory{room.data(), room.size()};
    std::pmr::vector<Named> members{&memory};
    members.reserve(object.members().size() + more.size());
    std::list<std::string> repaired;
    for (const auto& [name, value] : object.members()) {
        const bool plain = plain_length(name) == name.size();
        const bool valid = plain || utf8::valid(name);
        auto& member = members.emplace_back();
        member.name = valid ? name : repaired.emplace_back(utf8::repaired(name));
        member.plain = plain;
        member.value = &value;
    }
    for (auto& ready : more) {
        auto& member = members.emplace_back();
        member.name = ready.name;
        member.ready = &ready;
    }
    const auto order = in_order(members);

    out += '{';
    bool first = true;
    for (auto place = order.begin(); place != order.end(); ++place) {
        const auto& member = members[*place];
        const auto next = place + 1;
        if (next != order.end() && members[*next].name == member.name) continue;  // the last of equal names is kept
        if (!first) out += ',';
        first = false;
        if (member.plain) {
            out += '"';
            out += member.name;
            out += "\":";
        } else {
            write_valid(out, member.name);
            out += ':';
        }
        if (member.value != nullptr) {
            write(out, *member.value);
        } else {
            member.ready->at = out.size();
            out += member.ready->json;
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

}  // namespace

std::string canonical(const Value& value) {
    std::string out;
    if (value.object() != nullptr) out.reserve(bytes_of_most);
    write(out, value);
    return out;
}

std::string canonical(const Object& object, std::span<ReadyMember> more, std::string room) {
    room.clear();
    room.reserve(bytes_of_most);
    write_object(room, object, more);
    return room;
}

}  // namespace countersign::json
