// SPDX-License-Identifier: Apache-2.0
#include "gateway/framing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace countersign::gateway {
namespace {

constexpr std::string_view line_end = "\r\n";

// List headers that may be repeated, because no decision depends on them. Any other repeated header is refused: a
// verifier might read one of them and a proxy the other.
constexpr std::array<std::string_view, 10> lists{"accept",  "accept-charset", "accept-encoding", "accept-language",
                                                 "baggage", "cache-control",  "forwarded",       "tracestate",
                                                 "via",     "x-forwarded-for"};

bool is_control(char symbol) { return static_cast<unsigned char>(symbol) < 0x20 || symbol == 0x7F; }
bool is_letter(char symbol) { return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z'); }
bool is_digit(char symbol) { return symbol >= '0' && symbol <= '9'; }
bool is_visible(char symbol) { return symbol > 0x20 && symbol < 0x7F; }
bool is_token(char symbol) {
    return is_letter(symbol) || is_digit(symbol) ||
           (symbol != '\0' && std::string_view{"!#$%&'*+-.^_`|~"}.find(symbol) != std::string_view::npos);
}
bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char symbol) { return is_token(symbol); });
}
bool is_host(char symbol) {
    return is_letter(symbol) || is_digit(symbol) ||
           (symbol != '\0' && std::string_view{".-_:[]%~"}.find(symbol) != std::string_view::npos);
}

std::string lower(std::string_view text) {
    std::string result{text};
    for (auto& symbol : result) {
        if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol - 'A' + 'a');
    }
    return result;
}

// Trims spaces only; tabs are control characters and have been refused.
std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Returns the text up to the separator and removes both; returns all of it without one.
std::string_view cut(std::string_view& text, std::string_view separator) {
    const auto at = text.find(separator);
    const auto piece = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
    return piece;
}

using Verdict = std::optional<Refusal>;

// Collects the headers that determine the framing, line by line.
class HeadReader {
public:
    explicit HeadReader(const Bounds& bounds) : bounds_{bounds} {}

    Verdict request_line(std::string_view line) {
        const auto method = cut(line, " ");
        const auto target = cut(line, " ");
        if (!is_token(method)) return Refusal{400, "the method is not a word"};
        if (const auto bad = version(line)) return bad;
        if (method == "CONNECT" || method == "TRACE") return Refusal{501, "the method is not served here"};
        if (target.size() > bounds_.target_bytes) return Refusal{414, "the target is too long"};
        if (!target.starts_with('/') || !std::ranges::all_of(target, is_visible) || target.find('#') != target.npos)
            return Refusal{400, "the target is not a path"};
        head_.method = method;
        head_.target = target;
        return {};
    }

    Verdict header(std::string_view line) {
        if (++head_.headers > bounds_.headers) return Refusal{431, "there are too many headers"};
        const auto colon = line.find(':');
        // A folded line begins with a space, and a space before the colon is not part of a name: neither is a token.
        if (colon == line.npos || !is_token(line.substr(0, colon)))
            return Refusal{400, "a header's name is not a word"};
        const auto name = lower(line.substr(0, colon));
        if (!names_.insert(name).second && std::ranges::find(lists, name) == lists.end())
            return Refusal{400, "a header comes twice"};
        return value(name, trimmed(line.substr(colon + 1)));
    }

    Verdict finish() {
        if (http11_ && !names_.contains("host")) return Refusal{400, "the Host is missing"};
        if (head_.chunked && head_.length) return Refusal{400, "the body has a length and is chunked"};
        if (head_.chunked && !http11_) return Refusal{400, "HTTP/1.0 has no chunked body"};
        // An HTTP/1.0 connection always ends after its answer.
        head_.keep_alive = http11_ && !close_;
        return {};
    }

    Head take() { return std::move(head_); }

private:
    Verdict version(std::string_view text) {
        http11_ = text == "HTTP/1.1";
        if (http11_ || text == "HTTP/1.0") return {};
        const bool other =
            text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' && is_digit(text[7]);
        return other ? Refusal{505, "only HTTP/1.1 and HTTP/1.0 are served"}
                     : Refusal{400, "the request line has no HTTP version at its end"};
    }

    Verdict value(std::string_view name, std::string_view text) {
        if (name == "content-length") return length(text);
        if (name == "transfer-encoding") {
            if (text != "chunked") return Refusal{501, "the transfer encoding is not chunked"};
            head_.chunked = true;
        } else if (name == "host") {
            if (text.empty() || !std::ranges::all_of(text, is_host)) return Refusal{400, "the Host is not a name"};
        } else if (name == "connection") {
            return connection(text);
        } else if (name == "upgrade") {
            return Refusal{400, "no other protocol is spoken here"};
        } else if (name == "expect") {
            return Refusal{417, "nothing is promised before the body"};
        } else if (name == "trailer") {
            return Refusal{400, "headers after the body are not read"};
        } else if (name == "x-forwarded-for") {
            append(head_.forwarded_for, text);
        } else if (name == "forwarded") {
            append(head_.forwarded, text);
        }
        return {};
    }

    // Several lines of a list header form one list.
    static void append(std::string& list, std::string_view text) {
        if (!list.empty()) list += ',';
        list += text;
    }

    Verdict length(std::string_view text) {
        constexpr std::size_t digits_max = 18;  // always fits, and far beyond every limit
        const bool plain = !text.empty() && std::ranges::all_of(text, is_digit) && (text == "0" || text[0] != '0');
        if (!plain) return Refusal{400, "the length is not a plain number"};
        if (text.size() > digits_max) return Refusal{413, "the body is too large"};
        std::uint64_t bytes = 0;
        std::from_chars(text.data(), text.data() + text.size(), bytes);
        head_.length = bytes;
        return {};
    }

    Verdict connection(std::string_view text) {
        while (!text.empty()) {
            const auto word = lower(trimmed(cut(text, ",")));
            if (word == "upgrade") return Refusal{400, "no other protocol is spoken here"};
            if (word == "close") close_ = true;
        }
        return {};
    }

    const Bounds& bounds_;
    Head head_;
    bool http11_ = false;
    bool close_ = false;
    std::set<std::string, std::less<>> names_;
};

}  // namespace

std::variant<HeadScan::More, HeadScan::End, Refusal> HeadScan::look(std::string_view buffer, const Bounds& bounds) {
    const auto window = buffer.substr(0, bounds.head_bytes);
    for (; seen_ < window.size(); ++seen_) {
        const char symbol = window[seen_];
        const bool after_return = seen_ > 0 && window[seen_ - 1] == '\r';
        if (after_return != (symbol == '\n')) return Refusal{400, "a line does not end in CR and LF"};
        if (symbol == '\n') {
            if (seen_ == 1) return Refusal{400, "an empty line is no request"};
            first_line_ended_ = true;
            if (window.substr(0, seen_ + 1).ends_with("\r\n\r\n")) return End{seen_ + 1};
        } else if (symbol != '\r' && is_control(symbol)) {
            return Refusal{400, "a control character is in the head"};
        }
    }
    if (buffer.size() < bounds.head_bytes) return More{};
    if (!first_line_ended_) return Refusal{414, "the target is too long"};
    return Refusal{431, "the headers are too large"};
}

std::variant<Head, Refusal> read_head(std::string_view bytes, const Bounds& bounds) {
    HeadReader reader{bounds};
    if (const auto bad = reader.request_line(cut(bytes, line_end))) return *bad;
    for (auto line = cut(bytes, line_end); !line.empty(); line = cut(bytes, line_end)) {
        if (const auto bad = reader.header(line)) return *bad;
    }
    if (const auto bad = reader.finish()) return *bad;
    return reader.take();
}

}  // namespace countersign::gateway
