// SPDX-License-Identifier: Apache-2.0
#include "runtimes/workplace.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::runtimes {

namespace {

constexpr std::size_t commit_chars_shown = 12;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::string_view take_line(std::string_view& rest) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line;
}

std::string lower(std::string_view text) {
    std::string out{text};
    for (auto& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

// Reads a small regular file. A pipe or a device could block us, and a link could point anywhere.
std::optional<std::string> small_file(const std::string& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)};
    struct stat status{};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    std::string text(limits::workplace_file_bytes_max + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const auto count = ::read(file.number(), text.data() + size, text.size() - size);
        if (count < 0) return std::nullopt;
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    if (size > limits::workplace_file_bytes_max) return std::nullopt;
    text.resize(size);
    return text;
}

bool is_directory(const std::string& path) {
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string resolved(const std::string& path, const std::string& from) {
    return path.starts_with('/') ? path : from + "/" + path;
}

struct GitPlaces {
    std::string top;     // the directory that has .git
    std::string own;     // where HEAD is
    std::string common;  // where config is; for a worktree, the main repository's
};

// In a worktree or a submodule, .git is a file that names the real directory.
std::optional<GitPlaces> places_at(const std::string& top) {
    const auto git = top + "/.git";
    GitPlaces places{.top = top, .own = git, .common = git};
    if (is_directory(git)) return places;
    const auto link = small_file(git);
    constexpr std::string_view word = "gitdir:";
    if (!link || !link->starts_with(word)) return std::nullopt;
    places.own = resolved(std::string{trimmed(std::string_view{*link}.substr(word.size()))}, top);
    const auto common = small_file(places.own + "/commondir");
    places.common = common ? resolved(std::string{trimmed(*common)}, places.own) : places.own;
    return places;
}

std::optional<GitPlaces> places_above(std::string directory) {
    for (std::size_t depth = 0; depth < limits::workplace_depth_max; ++depth) {
        if (const auto places = places_at(directory)) return places;
        if (directory.empty()) return std::nullopt;  // it was the root
        directory.resize(directory.rfind('/'));
    }
    return std::nullopt;
}

std::string shown(std::string_view text, const security::Redactor& redactor) {
    const auto line = shown_line(text, redactor);
    if (line.size() <= limits::workplace_text_bytes_max) return line;
    constexpr std::string_view more = "…";
    return std::string{utf8::head(line, limits::workplace_text_bytes_max - more.size())}.append(more);
}

}  // namespace

std::optional<std::string> branch_in(std::string_view head_file) {
    const auto line = trimmed(take_line(head_file));
    constexpr std::string_view reference = "ref:";
    constexpr std::string_view heads = "refs/heads/";
    if (line.starts_with(reference)) {
        auto name = trimmed(line.substr(reference.size()));
        if (name.starts_with(heads)) name.remove_prefix(heads.size());
        if (name.empty()) return std::nullopt;
        return std::string{name};
    }
    const bool commit = (line.size() == 40 || line.size() == 64) &&
                        line.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (!commit) return std::nullopt;
    return "HEAD " + std::string{line.substr(0, commit_chars_shown)};
}

std::optional<std::string> origin_in(std::string_view config_file) {
    bool origin = false;
    std::optional<std::string> url;
    while (!config_file.empty()) {
        const auto line = trimmed(take_line(config_file));
        if (line.starts_with('[')) {
            origin = line.starts_with("[remote \"origin\"]");
            continue;
        }
        const auto equals = line.find('=');
        if (!origin || url || equals == std::string_view::npos) continue;
        if (lower(trimmed(line.substr(0, equals))) != "url") continue;
        auto value = trimmed(line.substr(equals + 1));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
            value = value.substr(1, value.size() - 2);
        }
        if (!value.empty()) url = std::string{value};
    }
    return url;
}

std::string repository_of(std::string_view url) {
    url = url.substr(0, url.find_first_of("?#"));
    const auto scheme = url.find("://");
    std::string_view host;
    std::string_view path;
    if (scheme != std::string_view::npos) {
        if (lower(url.substr(0, scheme)) == "file") return {};
        const auto rest = url.substr(scheme + 3);
        host = rest.substr(0, rest.find('/'));
        path = rest.substr(host.size());
    } else {
        // "git@host:path", but neither a path nor a drive letter.
        const auto colon = url.find(':');
        if (colon == std::string_view::npos || colon < 2 || url.find('/') < colon) return {};
        host = url.substr(0, colon);
        path = url.substr(colon + 1);
    }
    // Everything before the last '@' is treated as a user name and password.
    if (const auto at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
    if (const auto at = path.rfind('@'); at != std::string_view::npos) path.remove_prefix(at + 1);
    while (path.starts_with('/')) path.remove_prefix(1);
    while (path.ends_with('/')) path.remove_suffix(1);
    if (path.ends_with(".git")) path.remove_suffix(4);
    if (host.empty() || path.empty()) return {};
    return std::string{host}.append("/").append(path);
}

Workplace read_workplace(const std::string& directory, const std::string& host_name) {
    Workplace found{.host = host_name, .repository = {}, .branch = {}};
    if (!directory.starts_with('/') || directory.size() > limits::cwd_bytes_max) return found;
    const auto last = directory.find_last_not_of('/');
    const auto places = places_above(directory.substr(0, last == std::string::npos ? 0 : last + 1));
    if (!places) return found;
    const auto head = small_file(places->own + "/HEAD");
    const auto branch = head ? branch_in(*head) : std::nullopt;
    if (!branch) return found;  // not a repository after all
    found.branch = *branch;
    const auto config = small_file(places->common + "/config");
    const auto origin = config ? origin_in(*config) : std::nullopt;
    found.repository = origin ? repository_of(*origin) : std::string{};
    if (found.repository.empty()) found.repository = places->top.substr(places->top.rfind('/') + 1);
    return found;
}

Workplace shown_workplace(const Workplace& raw, const security::Redactor& redactor) {
    return {.host = shown(raw.host, redactor),
            .repository = shown(raw.repository, redactor),
            .branch = shown(raw.branch, redactor)};
}

}  // namespace countersign::runtimes
