// SPDX-License-Identifier: Apache-2.0
#include "app/process.hpp"

#include "app/channels/registry.hpp"
#include "app/report.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace countersign::app {
namespace {

// Called at the start, before there are threads.
std::string variable(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::string{} : std::string{value};
}

}  // namespace

bool has_controlling_terminal() {
    const int terminal = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) ::close(terminal);
    return terminal >= 0;
}

void settle_descriptors() {
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    for (int descriptor = ::open("/dev/null", O_RDWR); descriptor >= 0; descriptor = ::open("/dev/null", O_RDWR)) {
        if (descriptor <= STDERR_FILENO) continue;  // this one was closed before
        ::close(descriptor);
        return;
    }
    std::abort();  // not even /dev/null works
}

void keep_memory_private() {
#if !__has_feature(address_sanitizer)  // the leak check attaches to its own process
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
    constexpr rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

void leave_if_broken(const std::exception_ptr& failed) {
    if (!failed) return;
    try {
        std::rethrow_exception(failed);
    } catch (const std::exception& error) {
        report({Errc::internal, error.what()});
    } catch (...) {
        report({Errc::internal, "an exception without a name"});
    }
    ::_exit(exit_does_not_hold);
}

Result<std::string> state_directory(const std::string& given) {
    if (!given.empty()) return given;
    if (const auto state = variable("XDG_STATE_HOME"); !state.empty()) return state + "/countersign";
    if (const auto home = variable("HOME"); !home.empty()) return home + "/.local/state/countersign";
    return Error{Errc::bad_config, "HOME is not set: name the state directory with --state DIR"};
}

Result<std::string> default_cache_directory() {
    if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/countersign";
    if (const auto home = variable("HOME"); !home.empty()) return home + "/.cache/countersign";
    return Error{Errc::bad_config, "HOME is not set"};
}

Result<std::string> default_config_file() {
    std::vector<std::string> places;
    if (const auto config = variable("XDG_CONFIG_HOME"); !config.empty()) places.push_back(config + "/countersign");
    if (const auto home = variable("HOME"); !home.empty()) places.push_back(home + "/.config/countersign");
    places.emplace_back("/etc/countersign");
    for (const auto& place : places) {
        const auto file = place + "/countersign.toml";
        std::error_code ignored;
        if (std::filesystem::exists(file, ignored)) return file;
    }
    return Error{Errc::bad_config, "there is no configuration: " + setup_example() +
                                       " writes one, and countersign demo needs none; or write " + places.front() +
                                       "/countersign.toml (docs/CONFIGURATION.md), or name one with --config FILE"};
}

std::string host_name() {
    std::array<char, 256> name{};  // POSIX allows at most 255
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string{name.data()} : std::string{};
}

std::string boot_id() {
    std::ifstream file{"/proc/sys/kernel/random/boot_id"};
    std::string id;
    std::getline(file, id);
    return id.empty() ? "unknown" : id;
}

}  // namespace countersign::app
