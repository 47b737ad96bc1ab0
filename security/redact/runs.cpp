// SPDX-License-Identifier: Apache-2.0
#include "security/redact/runs.hpp"

#include "security/redact/base64.hpp"
#include "security/redact/public_text.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

constexpr std::size_t random_bytes_min = 32;
constexpr std::size_t encoded_bytes_min = 16;

bool digit(char byte) { return byte >= '0' && byte <= '9'; }
bool lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool hex_digit(char byte) { return digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F'); }

int class_of(char byte) { return digit(byte) ? 0 : lower(byte) ? 1 : upper(byte) ? 2 : 3; }

// How often adjacent letters or digits are of different classes: in random base64 three times out of five; in words
// joined to a name (OSSL_CRMF_MSG_set1_regInfo_utf8Pairs) and in paths one time out of five.
bool restless(std::string_view run) {
    std::size_t changes = 0;
    std::size_t pairs = 0;
    for (std::size_t at = 1; at < run.size(); ++at) {
        const auto here = class_of(run[at]);
        const auto before = class_of(run[at - 1]);
        if (here == 3 || before == 3) continue;
        ++pairs;
        changes += here != before ? 1 : 0;
    }
    return changes * 100 >= pairs * 38;
}

// Words written together, possibly with a number: xmlSecOpenSSLKeyDataX509GetKlass. Random text has half as many small
// letters in groups of three or more, half as many vowels, and twice as many digits.
bool camel_case(std::string_view run) {
    std::size_t in_words = 0;
    std::size_t word = 0;
    for (std::size_t at = 0; at <= run.size(); ++at) {
        if (at < run.size() && lower(run[at])) {
            ++word;
            continue;
        }
        if (word >= 3) in_words += word;
        word = 0;
    }
    const auto digits = std::ranges::count_if(run, digit);
    const auto letters = std::ranges::count_if(run, [](char byte) { return lower(byte) || upper(byte); });
    const auto vowels = std::ranges::count_if(
        run, [](char byte) { return std::string_view{"aeiouAEIOU"}.find(byte) != std::string_view::npos; });
    return in_words * 100 >= run.size() * 34 && digits * 10 <= std::ssize(run) && vowels * 4 >= letters;
}

bool random_base64(std::string_view run) {
    return !camel_case(run) && std::ranges::count_if(run, digit) >= 2 && std::ranges::count_if(run, lower) >= 3 &&
           std::ranges::count_if(run, upper) >= 3 && restless(run);
}

bool digest_length(std::size_t digits) {
    static constexpr auto lengths = std::to_array<std::size_t>({32, 40, 56, 64, 96, 128});
    return std::ranges::find(lengths, digits) != lengths.end();
}

bool random_hex(std::string_view run) {
    if (!std::ranges::all_of(run, hex_digit) || digest_length(run.size())) return false;
    return std::ranges::any_of(run, digit) && !std::ranges::all_of(run, digit) &&
           std::ranges::count(run, run[0]) * 2 < std::ssize(run);
}

// One case and digits, mixed unlike in words, and not just hexadecimal: old tokens of Azure DevOps, Vultr's keys.
bool random_one_case(std::string_view part) {
    const bool small = std::ranges::all_of(part, [](char byte) { return lower(byte) || digit(byte); });
    const bool large = std::ranges::all_of(part, [](char byte) { return upper(byte) || digit(byte); });
    const auto letters = std::ranges::count_if(part, [](char byte) { return !hex_digit(byte); });
    if ((!small && !large) || std::ranges::count_if(part, digit) < 4 || letters < 4) return false;
    std::size_t changes = 0;
    for (std::size_t at = 1; at < part.size(); ++at) changes += digit(part[at]) != digit(part[at - 1]) ? 1 : 0;
    return changes * 5 >= part.size();
}

// True if a label right before the run, or at its start, says that it is a digest.
bool labelled_digest(std::string_view text, std::size_t begin, std::string_view run) {
    for (const std::string_view label : {"sha1-", "sha256-", "sha384-", "sha512-"}) {
        if (run.starts_with(label)) return true;
    }
    const auto before = text.substr(begin > 8 ? begin - 8 : 0, std::min<std::size_t>(begin, 8));
    for (const std::string_view label : {"SHA256:", "sha256:", "sha512:", "sha1:", "h1:", "md5:", "MD5:"}) {
        if (before.ends_with(label)) return true;
    }
    return false;
}

// The position after base64 padding. An equals sign with a value after it belongs to an assignment and stays visible.
std::size_t after_padding(std::string_view text, std::size_t end) {
    const auto after = std::min(text.find_first_not_of('=', end), text.size());
    const bool closes =
        after == text.size() || std::string_view{" \t\r\n,;)]}|&<\"'`\\\x02"}.find(text[after]) != text.npos;
    return closes && after - end <= 2 ? after : end;
}

// A run of that length has a byte at every such distance, so only these positions are checked first.
template <class Take> void each_run(std::string_view text, std::size_t bytes_min, Take take) {
    for (auto probe = bytes_min - 1; probe < text.size(); probe += bytes_min) {
        if (!base64_byte(text[probe])) continue;
        auto begin = probe;
        while (begin > 0 && base64_byte(text[begin - 1])) --begin;
        if (escape_letter(text, begin)) ++begin;
        auto end = probe + 1;
        while (end < text.size() && base64_byte(text[end])) ++end;
        if (end - begin >= bytes_min) take(begin, end);
        probe = end;
    }
}

// ASCII in UTF-16 has a zero in every other byte.
bool text_byte(char byte) {
    return (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r' || byte == '\t' || byte == 0;
}

bool mostly_text(std::string_view bytes) {
    const auto texts = static_cast<std::size_t>(std::ranges::count_if(bytes, text_byte));
    return texts * 10 >= bytes.size() * 9;
}

}  // namespace

// Random base64 has such a part in one of a thousand runs.
bool is_path(std::string_view run) {
    for (std::size_t begin = 0; begin < run.size();) {
        const auto end = std::min(run.find('/', begin), run.size());
        const auto part = run.substr(begin, end - begin);
        const bool between = end < run.size() || begin > 0;
        if (between && part.size() >= 3 && std::ranges::all_of(part, lower)) return true;
        begin = end + 1;
    }
    return false;
}

Findings find_random_runs(std::string_view text) {
    Findings findings;
    const auto mask = [&](std::size_t begin, std::size_t end) {
        findings.push_back({begin, after_padding(text, end), "random", Evidence::entropy, 0, true});
    };
    const auto judge = [&](std::size_t begin, std::size_t end) {
        const auto run = text.substr(begin, end - begin);
        if (random_base64(run) || random_hex(run)) return mask(begin, end);
        while (begin < end) {
            const auto part_end = std::min(text.find_first_of("-_/", begin), end);
            const bool random =
                part_end - begin >= random_bytes_min && random_one_case(text.substr(begin, part_end - begin));
            if (random && !public_address(text, begin, part_end)) mask(begin, part_end);
            begin = part_end + 1;
        }
    };
    PublicText published{text};
    each_run(text, random_bytes_min, [&](std::size_t begin, std::size_t end) {
        if (published.has(begin, end) || labelled_digest(text, begin, text.substr(begin, end - begin))) return;
        if (!is_path(text.substr(begin, end - begin))) return judge(begin, end);
        while (begin < end) {
            const auto slash = std::min(text.find('/', begin), end);
            if (slash - begin >= random_bytes_min) judge(begin, slash);
            begin = slash + 1;
        }
    });
    return findings;
}

std::vector<EncodedRun> find_encoded_runs(std::string_view text) {
    std::vector<EncodedRun> runs;
    each_run(text, encoded_bytes_min, [&](std::size_t begin, std::size_t end) {
        auto run = text.substr(begin, end - begin);
        // The first few characters distinguish text from noise, so the rest of a long run needn't be decoded.
        const auto head = decode_base64(run.substr(0, 16));
        if (!head || !mostly_text(*head)) return;
        if (run.size() % 4 == 1) run.remove_suffix(1);
        auto decoded = decode_base64(run);
        if (!decoded || !mostly_text(*decoded)) return;
        runs.push_back({begin, after_padding(text, end), std::move(*decoded)});
    });
    return runs;
}

}  // namespace countersign::security
