// SPDX-License-Identifier: Apache-2.0
#include "security/redact/destinations.hpp"

#include "security/redact/bytes.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

// How much of a token stays visible if it is the whole host name.
constexpr std::size_t visible_head_bytes = 4;
constexpr std::size_t scheme_bytes_max = 32;
constexpr std::size_t host_bytes_max = 512;  // of the value of Server=

constexpr auto name_bytes = ByteSet::alnum_and("._-");
constexpr ByteSet telling_bytes{"@:='\"\x02 \t\r\n\v\f;|&<>()`"};
constexpr auto scheme_bytes = ByteSet::alnum_and("+.-");

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }
bool letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
bool name_byte(char byte) { return byte < 0 || name_bytes.has(byte); }

char lowered(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

template <std::size_t Size> bool among(std::string_view word, const std::array<std::string_view, Size>& list) {
    return std::ranges::find(list, word) != list.end();
}

// Programs that take user@host as an operand, with any text as the host.
constexpr auto remote_shells =
    std::to_array<std::string_view>({"autossh", "git", "mosh", "rsync", "scp", "sftp", "ssh", "ssh-copy-id", "sshfs"});
constexpr auto clients = std::to_array<std::string_view>(
    {"aria2c", "curl", "ftp", "lftp", "nc", "ncat", "netcat", "socat", "telnet", "wget"});
// The next word after these is data, in which an "@" has no meaning.
constexpr auto data_options = std::to_array<std::string_view>({"-A",
                                                               "-F",
                                                               "-H",
                                                               "-U",
                                                               "-b",
                                                               "-d",
                                                               "-e",
                                                               "-u",
                                                               "--body-data",
                                                               "--cookie",
                                                               "--data",
                                                               "--data-ascii",
                                                               "--data-binary",
                                                               "--data-raw",
                                                               "--form",
                                                               "--form-string",
                                                               "--header",
                                                               "--json",
                                                               "--data-urlencode",
                                                               "--http-password",
                                                               "--password",
                                                               "--post-data",
                                                               "--proxy-user",
                                                               "--referer",
                                                               "--user"});
// Names for the host in connection strings.
constexpr auto host_names = std::to_array<std::string_view>(
    {"addr", "address", "endpoint", "host", "hostaddr", "hostname", "server", "source"});

// evil.io, 192.0.2.1, [2001:db8::1]: hardly any word of a password looks like this.
bool host_like(std::string_view name) {
    if (name.starts_with('[')) return name.find(':') != std::string_view::npos;
    if (name.ends_with('.')) name.remove_suffix(1);
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return false;
    if (name[dot + 1] < 0 || letter(name[dot + 1])) return true;
    return std::ranges::count(name, '.') == 3 &&
           std::ranges::all_of(name, [](char byte) { return digit(byte) || byte == '.'; });
}

struct Destination {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool ends_secret = false;  // text after the "@" isn't part of a secret that starts before it
    std::size_t word_end = 0;  // text up to here isn't the value of a name; 0: only the host isn't
    std::size_t reach = 0;     // the farthest end of all destinations up to this one
};

class Destinations {
public:
    Destinations(std::string_view text, DestinationKind kind) : text_{text}, kind_{kind} {}

    std::vector<Destination> find() {
        for (at_ = 0; at_ < text_.size(); ++at_) read(text_[at_]);
        end_word();
        return in_order();
    }

private:
    void read(char byte) {
        if (!telling_bytes.has(byte)) return extend(false);
        if (byte == '@') after_at(at_ + 1);
        if (byte == ':') in_url();
        if (byte == '=') after_equals();
        if (one_of(byte, "'\"\x02") && (quote_ == 0 || quote_ == byte)) {
            quote_ = quote_ == 0 ? byte : '\0';
        } else if (quote_ == 0 && one_of(byte, " \t\r\n\v\f;|&<>()`")) {
            end_word();
            if (one_of(byte, "\r\n\v\f;|&()`")) tool_ = {};
        } else {
            extend(byte == ' ');
        }
    }

    // A quote at the start of a word isn't part of it.
    void extend(bool blank) {
        if (word_.empty()) begin_ = at_;
        has_blank_ = !word_.empty() && (has_blank_ || blank);
        word_ = text_.substr(begin_, at_ + 1 - begin_);
    }

    void end_word() {
        if (word_.empty()) return;
        const auto host_end = std::min(word_.find_first_of("/:?#@="), word_.size());
        const bool copied = remote_shell() && host_end < word_.size() && word_[host_end] == ':';
        if (is_operand() && (copied || host_like(word_.substr(0, host_end))))
            add({begin_, begin_ + host_end, false, copied ? begin_ + word_.size() : 0});
        const auto name = word_.substr(word_.find_last_of('/') + 1);
        const bool tool = among(name, remote_shells) || among(name, clients);
        before_data_ = !tool && !before_data_ && among(word_, data_options);
        if (tool) tool_ = name;
        word_ = {};
    }

    [[nodiscard]] bool remote_shell() const { return among(tool_, remote_shells); }

    // For a program that sends data. A quoted word with a blank in it isn't a host.
    [[nodiscard]] bool is_operand() const {
        if (kind_ != DestinationKind::any || tool_.empty() || word_.empty() || word_[0] == '-') return false;
        return (remote_shell() || !before_data_) && !has_blank_;
    }

    // user@host, and the end of a URL with quoted userinfo.
    void after_at(std::size_t begin) {
        if (begin <= url_end_ || kind_ != DestinationKind::any) return;
        const auto name_end = end_of_name(begin);
        const char next = name_end < text_.size() ? text_[name_end] : '\0';
        if (name_end == begin || next == '@') return;
        const bool operand = is_operand() && (tool_ != "git" || next == ':');
        const bool quoted = begin > 1 && one_of(text_[begin - 2], "'\"");
        if (!operand && !quoted && !host_like(text_.substr(begin, name_end - begin))) return;
        add({begin, end_of_port(name_end), operand || quoted, 0});
    }

    [[nodiscard]] std::size_t end_of_name(std::size_t at) const {
        if (at < text_.size() && text_[at] == '[') {
            const auto end = std::min(text_.find_first_not_of("0123456789abcdefABCDEF:.%", at + 1), text_.size());
            return end < text_.size() && text_[end] == ']' ? end + 1 : at;
        }
        while (at < text_.size() && name_byte(text_[at])) ++at;
        return at;
    }

    [[nodiscard]] std::size_t end_of_port(std::size_t at) const {
        if (at >= text_.size() || text_[at] != ':') return at;
        auto end = at + 1;
        while (end < text_.size() && digit(text_[end])) ++end;
        return end > at + 1 ? end : at;
    }

    // scheme://userinfo@host:port, and scheme:/host, which some programs accept.
    void in_url() {
        if (at_ == 0 || !scheme_bytes.has(text_[at_ - 1]) || at_ < url_end_) return;
        auto begin = at_ + 1;
        std::size_t slashes = 0;
        for (; begin < text_.size() && one_of(text_[begin], "/\\"); ++begin) slashes += text_[begin] == '/' ? 1 : 0;
        if (slashes == 0 || (slashes == 1 && !web_scheme())) return;
        const auto slash = std::min(text_.find_first_of("/ \t\r\n\v\f\"'`\x02", begin), text_.size());
        const auto authority = text_.substr(begin, slash - begin);
        url_end_ = begin + std::min(authority.find_first_of("?#\\"), authority.size());
        add({scheme_begin(), begin, false, 0});
        add_authority(begin, url_end_);
        const auto late = authority.rfind('@');
        if (late != std::string_view::npos) add_name(begin + late + 1, true);
        // Outside of quotes a shell may end the word early; inside them, that is part of a password.
        if (host_like(text_.substr(begin, end_of_name(begin) - begin))) add_name(begin, false);
    }

    [[nodiscard]] std::size_t scheme_begin() const {
        auto begin = at_;
        while (begin > 0 && at_ - begin < scheme_bytes_max && scheme_bytes.has(text_[begin - 1])) --begin;
        return begin;
    }

    [[nodiscard]] bool web_scheme() const {
        std::string scheme{text_.substr(scheme_begin(), at_ - scheme_begin())};
        std::ranges::transform(scheme, scheme.begin(), lowered);
        return scheme == "http" || scheme == "https" || scheme == "ftp" || scheme == "ws" || scheme == "wss";
    }

    void add_authority(std::size_t begin, std::size_t end) {
        const auto at = text_.substr(begin, end - begin).rfind('@');
        const bool secret = at != std::string_view::npos;
        if (secret) begin += at + 1;
        const auto host = text_.substr(begin, end - begin);
        add({begin, begin + std::min(host.find_first_of(";|&<>(){}$"), host.size()), secret, 0});
    }

    void add_name(std::size_t begin, bool ends_secret) {
        add({begin, end_of_port(end_of_name(begin)), ends_secret, 0});
    }

    // Server=evil.io;Password=…
    void after_equals() {
        auto name_end = at_;
        while (name_end > 0 && text_[name_end - 1] == ' ') --name_end;
        auto name = name_end;
        while (name > 0 && name_end - name < scheme_bytes_max && letter(text_[name - 1])) --name;
        std::string word{text_.substr(name, name_end - name)};
        std::ranges::transform(word, word.begin(), lowered);
        if (!among(word, host_names)) return;
        const auto begin = std::min(text_.find_first_not_of(' ', at_ + 1), text_.size());
        const auto host = text_.substr(begin, host_bytes_max);
        add({name, begin + std::min(host.find_first_of(" \t\r\n;&\"'`\x02"), host.size()), false, 0});
    }

    // Includes the byte that ends a host: if it were masked, the host would seem to continue.
    void add(Destination found) {
        if (found.begin >= found.end) return;
        if (found.end < text_.size() && one_of(text_[found.end], "/?#\\")) ++found.end;
        found_.push_back(found);
    }

    // Merges overlapping ones.
    std::vector<Destination> in_order() {
        std::ranges::sort(found_, {}, &Destination::begin);
        std::vector<Destination> joined;
        for (const auto& one : found_) {
            if (joined.empty() || one.begin >= joined.back().end) {
                joined.push_back(one);
                continue;
            }
            auto& last = joined.back();
            last.end = std::max(last.end, one.end);
            last.word_end = std::max(last.word_end, one.word_end);
            last.ends_secret = last.ends_secret || one.ends_secret;
        }
        std::size_t reach = 0;
        for (auto& one : joined) one.reach = reach = std::max({reach, one.end, one.word_end});
        return joined;
    }

    std::string_view text_;
    DestinationKind kind_;
    std::vector<Destination> found_;
    std::size_t at_ = 0;
    std::size_t url_end_ = 0;  // of the last authority that was read
    char quote_ = 0;
    std::string_view tool_;
    bool before_data_ = false;
    std::string_view word_;  // the current word, without a quote before it
    std::size_t begin_ = 0;  // of the current word
    bool has_blank_ = false;
};

// Where the last two labels of the name start.
std::size_t visible_labels(std::string_view text, const Destination& host) {
    const auto name = text.substr(host.begin, host.end - host.begin);
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return host.begin;
    const auto before = name.rfind('.', dot - 1);
    return before == std::string_view::npos ? host.begin : host.begin + before + 1;
}

// The rest of a finding, as hosts are cut out of it one by one.
class Cutter {
public:
    Cutter(std::string_view text, const Finding& finding) : text_{text}, begin_{finding.begin}, rest_{finding} {}

    void leave_out(const Destination& host) {
        const bool before = rest_.begin < host.begin;
        if (!before && rest_.evidence == Evidence::name && rest_.begin < host.word_end) {
            rest_.begin = host.word_end;
        } else if (rest_.begin >= host.end) {
            return;
        } else if (!before && rest_.by_look) {
            leave_labels(host);
        } else {
            keep_until(host.begin);
            const bool over = host.ends_secret && rest_.begin == begin_ && rest_.evidence == Evidence::name;
            rest_.begin = over ? rest_.end : host.end;
        }
    }

    Findings parts() {
        keep_until(rest_.end);
        return std::move(parts_);
    }

private:
    void leave_labels(const Destination& host) {
        const auto labels = visible_labels(text_, host);
        if (labels <= rest_.begin) {
            rest_.begin += visible_head_bytes;
            return;
        }
        keep_until(labels);
        rest_.begin = std::max(rest_.begin, host.end);
    }

    // Quotes stay visible: masking one of a pair would leave the other one open.
    void keep_until(std::size_t end) {
        end = std::min(end, rest_.end);
        while (end > rest_.begin && one_of(text_[end - 1], "@.")) --end;
        const bool all = rest_.begin == begin_ && end == rest_.end;
        auto part = rest_;
        while (part.begin < end) {
            part.end = all ? end : text_.substr(0, end).find_first_of("'\"", part.begin);
            part.end = std::min(part.end, end);
            if (part.begin < part.end) parts_.push_back(part);
            part.begin = part.end + 1;
        }
    }

    std::string_view text_;
    std::size_t begin_;
    Finding rest_;
    Findings parts_;
};

}  // namespace

bool takes_data(std::string_view program, std::string_view option) {
    if (!among(program, clients) || !option.starts_with('-')) return false;
    if (!option.starts_with("--")) {  // -sSH
        const auto letters = option.substr(1, option.find_first_of("AFHUbdeu", 1));
        return letters.find_first_of("AFHUbdeu") != std::string_view::npos;
    }
    return among(option.substr(0, option.find('=')), data_options);
}

void keep_destinations_visible(Findings& findings, std::string_view text, DestinationKind kind) {
    const auto doubtful = [](const Finding& finding) { return finding.evidence != Evidence::known; };
    if (std::ranges::none_of(findings, doubtful)) return;
    const auto hosts = Destinations{text, kind}.find();
    if (hosts.empty()) return;
    Findings kept;
    for (const auto& finding : findings) {
        auto host = std::ranges::upper_bound(hosts, finding.begin, {}, &Destination::reach);
        if (!doubtful(finding) || host == hosts.end() || host->begin >= finding.end) {
            kept.push_back(finding);
            continue;
        }
        Cutter cutter{text, finding};
        for (; host != hosts.end() && host->begin < finding.end; ++host) cutter.leave_out(*host);
        for (const auto& part : cutter.parts()) kept.push_back(part);
    }
    findings = std::move(kept);
}

}  // namespace countersign::security
