// SPDX-License-Identifier: Apache-2.0
#include "runtimes/file_view.hpp"

#include "core/call_command.hpp"
#include "core/path.hpp"
#include "runtimes/subject_display.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::runtimes {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_home(std::string_view path) { return path == "~" || path.starts_with("~/"); }

std::optional<std::string> target_of(const std::string& link) {
    std::array<char, PATH_MAX> target{};
    const auto size = ::readlink(link.c_str(), target.data(), target.size());
    if (size <= 0 || static_cast<std::size_t>(size) == target.size()) return std::nullopt;
    return std::string{target.data(), static_cast<std::size_t>(size)};
}

// Follows one path, part by part. Everything in `at_` is either free of links or does not exist.
class Walk {
public:
    explicit Walk(std::string_view path) { push(path); }

    // Returns false if the path cannot be followed.
    bool step() {
        if (++parts_ > path_parts_max) return false;
        const auto part = std::move(todo_.back());
        todo_.pop_back();
        if (part == "..") {
            at_.resize(at_.empty() ? 0 : at_.rfind('/'));
            return true;
        }
        auto next = at_ + "/" + part;
        struct stat status{};
        if (::lstat(next.c_str(), &status) != 0) {
            at_ = std::move(next);
            return errno == ENOENT || errno == ENAMETOOLONG;  // a file cannot have such a name
        }
        if (S_ISLNK(status.st_mode)) return follow(next);
        at_ = std::move(next);
        return true;
    }

    [[nodiscard]] bool done() const { return todo_.empty(); }
    [[nodiscard]] std::string place() const { return at_.empty() ? "/" : at_; }

private:
    void push(std::string_view path) {
        while (!path.empty()) {
            const auto part = path.substr(path.rfind('/') + 1);
            path.remove_suffix(std::min(part.size() + 1, path.size()));
            if (!part.empty() && part != ".") todo_.emplace_back(part);
        }
    }

    bool follow(const std::string& link) {
        const bool of_a_process = at_ == "/proc" || at_.starts_with("/proc/");
        const auto target = of_a_process || ++links_ > path_links_max ? std::nullopt : target_of(link);
        if (!target) return false;
        if (target->starts_with('/')) at_.clear();
        push(*target);
        return true;
    }

    std::string at_;                 // empty: the root
    std::vector<std::string> todo_;  // the next part is the last element
    std::size_t parts_ = 0;
    std::size_t links_ = 0;
};

class Viewer {
public:
    Viewer(const CallFacts& facts, const std::string& home) : cwd_{facts.cwd} {
        view_.home = home;
        view_.real_home = home.starts_with('/') ? real_path(home).value_or("") : "";
        if (!cwd_.starts_with('/')) return;
        view_.cwd = real_path(cwd_).value_or("");
        view_.complete = !view_.cwd.empty();
    }

    // A tool may expand a leading `$`, and we don't know to what. Text from a shell command was already expanded for
    // the program.
    void look_at(const std::string& path, bool from_shell = false) {
        const bool variable = path.starts_with('$') && !from_shell;
        const bool expands = variable || (path.starts_with('~') && !is_home(path));
        const bool strange = path.find("://") != path.npos || std::ranges::any_of(path, is_control);
        if (expands || strange || ++paths_ > call_paths_max) view_.complete = false;
        if (std::ranges::any_of(path, is_control) || paths_ > call_paths_max) return;
        read(path.empty() ? "." : path, cwd_);
        if (is_home(path)) read(path.size() > 1 ? path.substr(2) : ".", view_.home);
    }

    // Notes where a text in a command leads if its path contains a link.
    void look_for_link(const std::string& text) {
        if (++paths_ > call_paths_max) return cannot_follow();
        const auto relative = text.starts_with('/') ? text : "./" + text;
        if (text.starts_with('/')) {
            note_link(text, text, place_within_cwd(text));
        } else {
            note_link(text, cwd_ + "/" + text, resolved_path(relative, view_.cwd));
        }
        if (is_home(text) && !view_.real_home.empty()) {
            note_link(text, view_.home + text.substr(1), resolved_path(view_.real_home + text.substr(1), ""));
        }
    }

    void cannot_follow() { view_.complete = false; }

    FileView take() { return std::move(view_); }

private:
    void read(const std::string& path, const std::string& directory) {
        if (!path.starts_with('/') && !directory.starts_with('/')) {
            view_.complete = false;
            return;
        }
        const auto whole = path.starts_with('/') ? path : directory + "/" + path;
        add(whole);
        add(resolved_path(whole, ""));
    }

    void add(const std::string& path) {
        auto real = real_path(path);
        if (!real) {
            view_.complete = false;
        } else if (std::ranges::find(view_.real_paths, *real) == view_.real_paths.end()) {
            view_.real_paths.push_back(std::move(*real));
        }
    }

    // The place that an absolute path would name if no link existed below the call's directory.
    [[nodiscard]] std::string place_within_cwd(const std::string& path) const {
        const auto full = resolved_path(path, "");
        return inside(full, cwd_) ? view_.cwd + full.substr(resolved_path(cwd_, "").size()) : full;
    }

    void note_link(const std::string& text, const std::string& path, const std::string& as_written) {
        const auto real = real_path(path);
        if (!real) return cannot_follow();
        if (*real == as_written) return;
        view_.links.push_back({text, *real});
        if (std::ranges::find(view_.real_paths, *real) == view_.real_paths.end()) view_.real_paths.push_back(*real);
    }

    std::string cwd_;
    FileView view_;
    std::size_t paths_ = 0;
};

// Looks at a command's word as a path, as an option with a value, and as a value attached to a cluster of letters.
void look_at_word(const std::string& word, Viewer& viewer) {
    if (word.find("://") != word.npos) return;
    const auto equals = word.find('=');
    if (!word.starts_with('-')) {
        if (!word.empty()) viewer.look_at(word, true);
    } else {
        if (equals != word.npos && equals + 1 < word.size()) viewer.look_at(word.substr(equals + 1), true);
        for (const auto value : glued_values(word)) viewer.look_at(std::string{value}, true);
    }
}

void look_at_words(const CallFacts& facts, Viewer& viewer) {
    const auto list = parsed_commands(facts);
    if (!list) return viewer.cannot_follow();
    for (const auto& words : *list) {
        for (auto word = words.begin() + 1; word != words.end(); ++word) {
            look_at_word(*word, viewer);
            for (const auto text : path_texts(*word)) viewer.look_for_link(std::string{text});
        }
    }
}

// The places that the paths would name if no link existed below the call's directory.
std::vector<std::string> places_as_written(const CallFacts& facts) {
    std::vector<std::string> places;
    for (const auto& path : facts.paths) {
        places.push_back(resolved_path(path, facts.files->cwd));
        places.push_back(resolved_path("./" + path, facts.files->cwd));
        const auto from_cwd = resolved_path(path, facts.cwd);
        if (!inside(path, facts.cwd) || facts.cwd.empty()) continue;
        places.push_back(facts.files->cwd + from_cwd.substr(resolved_path(facts.cwd, "").size()));
    }
    return places;
}

}  // namespace

std::optional<std::string> real_path(const std::string& path) {
    if (!path.starts_with('/') || path.size() >= PATH_MAX || path.find('\0') != path.npos) return std::nullopt;
    Walk walk{path};
    while (!walk.done()) {
        if (!walk.step()) return std::nullopt;
    }
    return walk.place();
}

AgentFiles local_files(std::string home) {
    return {.view = [home = std::move(home)](const CallFacts& facts) { return view_files(facts, home); },
            .digest = digest_file};
}

void look_at_files(CallFacts& facts, const AgentFiles& files) {
    if (files.view) facts.files = files.view(facts);
}

FileDigest digest_file(const std::string& path) {
    // Opened with O_NONBLOCK: a pipe or a device could block us forever.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return {.kind = missing ? FileDigest::Kind::none : FileDigest::Kind::unreadable};
    }
    struct stat status{};
    std::string text;
    bool whole = false;
    const bool known = ::fstat(file, &status) == 0;
    if (known && S_ISREG(status.st_mode)) {
        text.resize(script_bytes_max + 1);
        std::size_t size = 0;
        ssize_t count = 1;
        while (count > 0 && size < text.size()) {
            count = ::read(file, text.data() + size, text.size() - size);
            if (count > 0) size += static_cast<std::size_t>(count);
        }
        whole = count == 0;
        text.resize(size);
    }
    ::close(file);
    if (known && S_ISDIR(status.st_mode)) return {};
    if (!whole) return {.kind = FileDigest::Kind::unreadable};
    return {.kind = FileDigest::Kind::read, .hex = security::hex(security::sha256(text))};
}

FileView view_files(const CallFacts& facts, const std::string& home) {
    Viewer viewer{facts, home};
    for (const auto& path : facts.paths) viewer.look_at(path);
    if (facts.tool_class == ToolClass::execute && facts.command) look_at_words(facts, viewer);
    return viewer.take();
}

std::string link_lines(const CallFacts& facts, const security::Redactor& redactor) {
    if (facts.files && !facts.files->in_time) return "\nthe files of this call could not be read in time";
    if (!facts.files || facts.paths.empty()) return {};
    const auto written = places_as_written(facts);
    std::string lines;
    std::size_t count = 0;
    for (const auto& real : facts.files->real_paths) {
        if (std::ranges::find(written, real) != written.end() || ++count > link_lines_max) continue;
        lines += "\nleads to " + shown_line(real, redactor);
    }
    if (count > link_lines_max) lines += "\nleads to " + std::to_string(count - link_lines_max) + " more places";
    if (!facts.files->complete) lines += "\na link in this path could not be resolved";
    return lines;
}

}  // namespace countersign::runtimes
