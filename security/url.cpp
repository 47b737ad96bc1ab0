// SPDX-License-Identifier: Apache-2.0
#include "security/url.hpp"

#include "core/utf8.hpp"
#include "security/ip_address.hpp"
#include "security/punycode.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace countersign::security {

namespace {

constexpr std::size_t label_bytes_max = 63;
constexpr std::size_t name_bytes_max = 253;
constexpr std::string_view blanks = " \t\r\n\v\f";
constexpr std::string_view ace = "xn--";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), [](char c) { return lower(c); });
    return out;
}

bool is_scheme_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
}

bool is_web(std::string_view scheme) {
    const auto word = lower(scheme);
    return word == "http" || word == "https";
}

// Letters that every version of IDNA leaves unchanged, in any combination: no mapping, no combining mark, no
// right-to-left script. Names with other letters must be judged by people.
bool is_settled_letter(char32_t c) {
    struct Range {
        char32_t first, last;
    };
    constexpr auto ranges = std::to_array<Range>({{'a', 'z'},
                                                  {'0', '9'},
                                                  {'-', '-'},
                                                  {0xe0, 0xf6},
                                                  {0xf8, 0xff},
                                                  {0x3ac, 0x3ce},
                                                  {0x430, 0x45f},
                                                  {0x3041, 0x3096},
                                                  {0x30a1, 0x30fa},
                                                  {0x4e00, 0x9fa5},
                                                  {0xac00, 0xd7a3}});
    return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

bool is_sound_label(std::string_view label) {
    if (label.empty() || label.size() > label_bytes_max) return false;
    if (!label.starts_with(ace)) return true;
    const auto decoded = punycode_decoded(label.substr(ace.size()));
    return decoded && std::ranges::all_of(*decoded, is_settled_letter) &&
           punycode_encoded(*decoded) == label.substr(ace.size());
}

std::optional<std::string> domain(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
    auto name = lower(text);
    if (name.ends_with('.')) name.pop_back();
    if (name.empty() || name.ends_with('.') || name.size() > name_bytes_max) return std::nullopt;
    if (name.find_first_not_of(plain) != std::string::npos) return std::nullopt;
    if (ends_in_number(name)) {
        // Some programs read 0177.0.0.1 and 127.1 as addresses, and as different ones.
        const auto address = ipv4_canonical(name);
        return address == name ? address : std::nullopt;
    }
    for (std::string_view rest = name; !rest.empty();) {
        const auto label = rest.substr(0, rest.find('.'));
        if (!is_sound_label(label)) return std::nullopt;
        rest.remove_prefix(std::min(label.size() + 1, rest.size()));
    }
    return name;
}

bool is_port(std::string_view text) {
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != text.npos) return false;
    return std::stoul(std::string{text}) <= 65535;
}

// "host" or "host:port", without a user name.
std::optional<std::string> host_of_authority(std::string_view authority) {
    if (authority.size() > url_authority_bytes_max) return std::nullopt;
    if (!authority.starts_with('[')) {
        const auto colon = authority.find(':');
        if (colon != authority.npos && !is_port(authority.substr(colon + 1))) return std::nullopt;
        return domain(authority.substr(0, colon));
    }
    const auto end = authority.find(']');
    if (end == authority.npos) return std::nullopt;
    const auto rest = authority.substr(end + 1);
    if (!rest.empty() && !(rest.front() == ':' && is_port(rest.substr(1)))) return std::nullopt;
    const auto address = ipv6_canonical(authority.substr(1, end - 1));
    if (!address) return std::nullopt;
    return "[" + *address + "]";
}

bool has_odd_byte(std::string_view text) {
    return std::ranges::any_of(text,
                               [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '\\'; });
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const auto letter = lower(c);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = text[at] == '%' && at + 2 < text.size();
        const auto high = escape ? hex_digit(text[at + 1]) : -1;
        const auto low = escape ? hex_digit(text[at + 2]) : -1;
        if (high < 0 || low < 0) {
            out += text[at];
        } else {
            out += static_cast<char>(high * 16 + low);
            at += 2;
        }
    }
    return out;
}

// As read by a parser that drops tabs and line breaks.
std::string without_breaks(std::string_view text) {
    std::string out;
    std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != '\t' && c != '\r' && c != '\n'; });
    return out;
}

// Collects distinct results up to their bound.
class Finder {
public:
    void host(std::string host) {
        if (!add(found_.hosts, std::move(host))) found_.odd = true;
    }

    // Adds the possible hosts of an ambiguous authority: "good@evil" and "good\@evil" may name either.
    void odd_authority(std::string_view rest) {
        found_.odd = true;
        rest.remove_prefix(std::min(rest.find_first_not_of("/\\\t\r\n"), rest.size()));
        rest = rest.substr(0, url_authority_bytes_max);
        const auto joined = without_breaks(rest);
        for (const std::string_view reading : {rest, std::string_view{joined}}) {
            parts(reading.substr(0, reading.find_first_of("/?# \t\r\n\"'<>`|;,)}")));
            parts(reading.substr(0, reading.find_first_of("/?#")));
        }
    }

    // False above the bound: a text with more URLs is odd, and the others aren't checked.
    bool take_start() {
        found_.odd |= starts_left_ == 0;
        return starts_left_ != 0 && starts_left_-- != 0;
    }

    FoundHosts take() { return std::move(found_); }

private:
    static bool add(std::vector<std::string>& list, std::string host) {
        if (host.empty() || std::ranges::find(list, host) != list.end()) return true;
        if (list.size() >= urls_max) return false;
        list.push_back(std::move(host));
        return true;
    }

    void parts(std::string_view authority) {
        while (true) {
            const auto end = authority.find_first_of("@\\");
            possible(authority.substr(0, end));
            if (end == authority.npos) return;
            authority.remove_prefix(end + 1);
        }
    }

    void possible(std::string_view text) {
        const bool bracketed = text.starts_with('[');
        const auto end = bracketed ? text.find(']') : text.find(':');
        auto host = lower(unescaped(text.substr(0, bracketed && end != text.npos ? end + 1 : end)));
        while (host.ends_with('.')) host.pop_back();
        if (ends_in_number(host)) {
            if (auto address = ipv4_canonical(host)) add(found_.possible, std::move(*address));
        } else if (bracketed) {
            if (auto exact = host_of_authority(host)) host = std::move(*exact);
        }
        const bool plain = std::ranges::all_of(host, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        if (auto name = plain ? std::nullopt : idna_host(host)) add(found_.possible, std::move(*name));
        add(found_.possible, std::move(host));
    }

    FoundHosts found_;
    std::size_t starts_left_ = urls_max;
};

// The start of a URL in a word: a scheme followed by "//", or just "http:" or "https:".
struct Start {
    std::size_t scheme;  // where its scheme starts
    std::size_t colon;
};

std::optional<Start> next_start(std::string_view word, std::size_t from) {
    for (auto colon = word.find(':', from); colon != word.npos; colon = word.find(':', colon + 1)) {
        auto scheme = colon;
        while (scheme > 0 && is_scheme_char(word[scheme - 1])) --scheme;
        const bool web = is_web(word.substr(scheme, colon - scheme));
        const bool more = colon + 1 < word.size();
        if (word.substr(colon + 1).starts_with("//") || (web && more)) return Start{.scheme = scheme, .colon = colon};
    }
    return std::nullopt;
}

std::string_view without_final_punctuation(std::string_view word) {
    const auto last = word.find_last_not_of(".,;:!?)}>'\"`*");
    return last == word.npos ? std::string_view{} : word.substr(0, last + 1);
}

std::optional<std::string> host_at(std::string_view word, const Start& start) {
    auto rest = word.substr(start.colon + 1);
    if (!is_web(word.substr(start.scheme, start.colon - start.scheme)) || !rest.starts_with("//")) return std::nullopt;
    rest = rest.substr(2, url_authority_bytes_max + 1);
    const auto authority = rest.substr(0, rest.find_first_of("/?#"));
    return has_odd_byte(authority) ? std::nullopt : host_of_authority(authority);
}

void find_in_word(std::string_view word, Finder& finder) {
    std::size_t from = 0;
    while (const auto start = next_start(word, from)) {
        if (!finder.take_start()) return;
        from = start->colon + 1;
        if (auto host = host_at(word, *start)) {
            finder.host(std::move(*host));
        } else {
            finder.odd_authority(word.substr(from));
        }
    }
}

}  // namespace

std::optional<std::string> url_host(std::string_view url) {
    const auto colon = url.find("://");
    if (colon == url.npos || !is_web(url.substr(0, colon)) || has_odd_byte(url)) return std::nullopt;
    const auto rest = url.substr(colon + 3);
    return host_of_authority(rest.substr(0, rest.find_first_of("/?#")));
}

std::optional<std::string> bare_host(std::string_view text) {
    if (has_odd_byte(text)) return std::nullopt;
    return host_of_authority(text);
}

std::optional<std::string> idna_host(std::string_view name) {
    std::string out;
    for (auto rest = name.substr(0, name_bytes_max); !rest.empty();) {
        const auto label = rest.substr(0, rest.find('.'));
        rest.remove_prefix(label.size());
        std::u32string points;
        for (auto letters = label; !letters.empty();) {
            const auto point = utf8::decode(letters);
            if (!point) return std::nullopt;
            points += point->value;
            letters.remove_prefix(point->length);
        }
        const bool plain = std::ranges::all_of(points, [](char32_t c) { return c < 0x80; });
        const auto encoded = plain ? std::nullopt : punycode_encoded(points);
        if (!plain && !encoded) return std::nullopt;
        out += plain ? std::string{label} : std::string{ace} + *encoded;
        if (rest.empty()) break;
        out += '.';
        rest.remove_prefix(1);
    }
    return bare_host(out) == out ? std::optional{out} : std::nullopt;
}

FoundHosts hosts_in_text(std::string_view text) {
    Finder finder;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(blanks), text.size());
        find_in_word(without_final_punctuation(text.substr(0, end)), finder);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return finder.take();
}

FoundHosts hosts_of_url(std::string_view url) {
    Finder finder;
    if (auto host = url_host(url)) {
        finder.host(std::move(*host));
    } else {
        const auto joined = without_breaks(url);
        const auto start = next_start(joined, 0);
        finder.odd_authority(start ? std::string_view{joined}.substr(start->colon + 1) : url);
    }
    find_in_word(url, finder);
    return finder.take();
}

FoundHosts hosts_of_host(std::string_view text) {
    if (text.find("//") != text.npos) return hosts_of_url(text);
    Finder finder;
    if (auto host = bare_host(text)) {
        finder.host(std::move(*host));
    } else {
        finder.odd_authority(text);
    }
    return finder.take();
}

}  // namespace countersign::security
