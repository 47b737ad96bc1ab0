// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/waiting_hooks.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace countersign::runtimes::claude {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view answered_end = ".answered";
constexpr std::string_view being_created = ".new";

bool is_hash(std::string_view text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string path_in(const std::string& directory, const std::string& name) { return directory + "/" + name; }

// Locked by its process, or about to be renamed by it.
bool is_abandoned(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return false;
    const bool free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return free;
}

bool is_older(const std::string& path, std::chrono::system_clock::time_point then) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && std::chrono::system_clock::from_time_t(status.st_mtime) < then;
}

}  // namespace

std::string file_name(const WaitingCall& call) {
    return call.agent.session + "-" + call.agent.inner + "-" + call.call + "-" + call.id +
           (call.answered ? std::string{answered_end} : std::string{});
}

std::optional<WaitingCall> waiting_call_of(std::string_view name) {
    WaitingCall call;
    call.answered = name.ends_with(answered_end);
    if (call.answered) name.remove_suffix(answered_end.size());
    std::array<std::string, 4> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto end = i + 1 == parts.size() ? name.size() : name.find('-');
        if (end == std::string_view::npos) return std::nullopt;
        parts[i] = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    call.agent = {.session = parts[0], .inner = parts[1]};
    call.call = parts[2];
    call.id = parts[3];
    const bool inner = call.agent.is_main() || is_hash(call.agent.inner, 16);
    if (!is_hash(call.agent.session, 16) || !inner || !is_hash(call.call, 32) || !Ulid::parse(call.id))
        return std::nullopt;
    return call;
}

std::vector<WaitingCall> calls_over(const CallsEnded& ended, const std::vector<WaitingCall>& known) {
    std::vector<WaitingCall> over;
    for (const auto& one : known) {
        if (one.agent != ended.agent) continue;
        const auto times = std::ranges::count(ended.calls, one.call);
        const auto identical = std::ranges::count_if(
            known, [&](const WaitingCall& other) { return other.agent == one.agent && other.call == one.call; });
        // At the end of a batch, no call that was answered here is still running.
        const bool finished = ended.whole_batch && one.answered;
        if (finished || (times > 0 && identical <= times)) over.push_back(one);
    }
    return over;
}

std::vector<WaitingCall> calls_over(const AgentStopped& stopped, const std::vector<WaitingCall>& known) {
    std::vector<WaitingCall> over;
    for (const auto& one : known) {
        const bool session = one.agent.session == stopped.agent.session;
        if (session && (!stopped.session_id.empty() || one.agent.inner == stopped.agent.inner)) over.push_back(one);
    }
    return over;
}

std::string_view words_for(WaitEnd end) {
    if (end == WaitEnd::answered_in_terminal) return "answered at the terminal";
    return "answered at the terminal, or its turn ended there";
}

WaitingFile::WaitingFile(std::string directory, WaitingCall call, int descriptor)
    : directory_{std::move(directory)}, call_{std::move(call)}, descriptor_{descriptor} {}

WaitingFile::WaitingFile(WaitingFile&& other) noexcept
    : directory_{std::move(other.directory_)},
      call_{std::move(other.call_)},
      descriptor_{std::exchange(other.descriptor_, -1)} {}

WaitingFile::~WaitingFile() {
    if (descriptor_ < 0) return;
    if (!call_.answered) (void)::unlink(path_in(directory_, file_name(call_)).c_str());
    ::close(descriptor_);
}

// Locked before it gets its name, because the file of a killed process isn't locked.
Result<WaitingFile> WaitingFile::create(const std::string& directory, const WaitingCall& call) {
    const auto failed = [&] {
        return Error{Errc::unavailable, directory + ": " + std::system_category().message(errno)};
    };
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return failed();
    const auto path = path_in(directory, file_name(call));
    const auto fresh = path + std::string{being_created};
    const int descriptor = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return failed();
    WaitingFile file{directory, call, descriptor};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0) {
        const auto why = failed();
        (void)::unlink(fresh.c_str());
        return why;
    }
    return file;
}

std::optional<WaitEnd> WaitingFile::told() const {
    std::array<char, 1> first{};
    struct stat status{};
    if (::pread(descriptor_, first.data(), 1, 0) == 1) {
        return first[0] == 'a' ? WaitEnd::answered_in_terminal : WaitEnd::turn_ended;
    }
    // Deleted: by a person, or with the state directory. Nothing can reach us any more.
    if (::fstat(descriptor_, &status) == 0 && status.st_nlink == 0) return WaitEnd::turn_ended;
    return std::nullopt;
}

void WaitingFile::answered_here() {
    const auto from = path_in(directory_, file_name(call_));
    call_.answered = true;
    (void)::rename(from.c_str(), path_in(directory_, file_name(call_)).c_str());
}

std::vector<WaitingCall> waiting_calls(const std::string& directory, std::chrono::system_clock::time_point now) {
    std::vector<WaitingCall> calls;
    std::error_code failed;
    fs::directory_iterator entries{directory, failed};
    for (std::size_t read = 0; !failed && entries != fs::directory_iterator{} && read < waiting_hooks_max; ++read) {
        const auto path = entries->path().string();
        const auto name = entries->path().filename().string();
        entries.increment(failed);
        auto call = waiting_call_of(name);
        const bool old = is_older(path, now - answered_call_age_max);
        const bool left_behind = call && !call->answered ? is_abandoned(path) : old;
        if (left_behind) (void)::unlink(path.c_str());
        if (call && !left_behind) calls.push_back(std::move(*call));
    }
    return calls;
}

void report_over(const std::string& directory, const std::vector<WaitingCall>& over, WaitEnd end) {
    for (const auto& call : over) {
        const auto path = path_in(directory, file_name(call));
        if (call.answered) {
            (void)::unlink(path.c_str());
            continue;
        }
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor < 0) continue;  // it has ended meanwhile
        (void)!::pwrite(descriptor, end == WaitEnd::answered_in_terminal ? "a" : "e", 1, 0);
        ::close(descriptor);
    }
}

}  // namespace countersign::runtimes::claude
