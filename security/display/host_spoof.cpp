// SPDX-License-Identifier: Apache-2.0
#include "security/display/host_spoof.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/characters.hpp"
#include "security/display/look_alikes.hpp"
#include "security/display/scripts.hpp"
#include "security/punycode.hpp"

#include <algorithm>

namespace countersign::security {

namespace {

constexpr std::string_view ace = "xn--";

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unescaped(std::string_view host) {
    std::string out;
    for (std::size_t at = 0; at < host.size(); ++at) {
        const bool escape = host[at] == '%' && at + 2 < host.size();
        const auto high = escape ? hex_digit(host[at + 1]) : -1;
        const auto low = escape ? hex_digit(host[at + 2]) : -1;
        if (high < 0 || low < 0) {
            out += host[at];
        } else {
            out += static_cast<char>(high * 16 + low);
            at += 2;
        }
    }
    return out;
}

bool is_ascii(std::string_view text) { return utf8::ascii_length(text) == text.size(); }

bool is_ace(std::string_view label) {
    if (label.size() < ace.size()) return false;
    return (label[0] == 'x' || label[0] == 'X') && (label[1] == 'n' || label[1] == 'N') && label.substr(2, 2) == "--";
}

std::u32string characters(std::string_view text) {
    std::u32string out;
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        out += next ? next->value : utf8::replacement;
        text.remove_prefix(next ? next->length : 1);
    }
    return out;
}

std::string bytes(std::u32string_view characters) {
    std::string out;
    for (const auto c : characters) utf8::append(out, c);
    return out;
}

// One label of a host in each of its forms.
struct Label {
    std::string shown;
    std::string ascii;       // empty: it has none
    std::string looks_like;  // empty: not every character looks like ASCII
    bool readable = true;
};

// The ASCII text that the label looks like. Empty for an all-ASCII label, which looks like itself.
std::string likeness(std::u32string_view label) {
    std::string out;
    bool foreign = false;
    for (const auto c : label) {
        const auto likely = c < 0x80 ? static_cast<char>(c) : ascii_look_alike(c);
        if (likely == '\0') return {};
        foreign |= c >= 0x80;
        out += likely;
    }
    return foreign ? out : std::string{};
}

Label read_label(std::string_view given) {
    Label label{.shown = std::string{given}, .ascii = std::string{given}, .looks_like = {}};
    auto all = characters(given);
    if (is_ascii(given)) {
        if (!is_ace(given)) return label;
        const auto decoded = punycode_decoded(given.substr(ace.size()));
        label.readable = decoded.has_value();
        if (!decoded) return label;
        all = *decoded;
        label.shown = bytes(all);
    } else {
        const auto encoded = punycode_encoded(all);
        label.ascii = encoded ? std::string{ace} + *encoded : std::string{};
    }
    label.readable = utf8::valid(given) && std::ranges::none_of(all, [](char32_t c) { return hidden(c) || c == ' '; });
    label.looks_like = likeness(all);
    return label;
}

}  // namespace

std::optional<SuspectHost> suspect_host(std::string_view host) {
    const auto given = unescaped(host);
    if (is_ascii(given) && given.find("--") == std::string::npos) return std::nullopt;
    SuspectHost found{.kind = SuspectHost::Kind::punycode, .shown = {}, .ascii = {}, .looks_like = {}};
    bool coded = false;
    bool readable = true;
    bool looks_alike = false;
    bool has_ascii = true;
    std::string looks;
    std::string last;
    for (std::string_view rest = given;;) {
        const auto part = rest.substr(0, rest.find('.'));
        const auto label = read_label(part);
        const auto* const dot = part.data() == given.data() ? "" : ".";
        found.shown.append(dot).append(label.shown);
        found.ascii.append(dot).append(label.ascii);
        looks.append(dot).append(label.looks_like.empty() ? label.shown : label.looks_like);
        last = label.shown;
        coded |= is_ace(part);
        readable &= label.readable;
        has_ascii &= !label.ascii.empty() || part.empty();
        looks_alike |= !label.looks_like.empty();
        if (part.size() == rest.size()) break;
        rest.remove_prefix(part.size() + 1);
    }
    if (!has_ascii) found.ascii.clear();
    const bool foreign = !is_ascii(found.shown);
    if (!foreign && !coded) return std::nullopt;
    // Under a domain in its own script a name isn't suspicious, even if each of its letters has a look-alike: "сор.рф".
    const bool at_home = !is_ascii(last) && likeness(characters(last)).empty();
    if (!readable) {
        found.kind = SuspectHost::Kind::unreadable;
    } else if (looks_alike && (!at_home || mixed_script(found.shown))) {
        found.kind = SuspectHost::Kind::looks_alike;
        found.looks_like = looks;
    } else if (mixed_script(found.shown)) {
        found.kind = SuspectHost::Kind::mixed_scripts;
    } else if (!coded) {
        return std::nullopt;
    }
    return found;
}

bool deceives(const SuspectHost& host) { return host.kind != SuspectHost::Kind::punycode; }

}  // namespace countersign::security
