// SPDX-License-Identifier: Apache-2.0
#include "app/invocation.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace countersign::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view usual_name = "countersign";

// The first program with this name in $PATH, i.e. the one that a shell would start.
fs::path found_in_path(std::string_view name) {
    const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    std::istringstream directories{path == nullptr ? "" : path};
    for (std::string directory; std::getline(directories, directory, ':');) {
        std::error_code ignored;
        auto file = fs::path{directory} / name;
        if (fs::is_regular_file(file, ignored)) return file;
    }
    return {};
}

}  // namespace

std::string shell_word(std::string_view text) {
    constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@,";
    if (!text.empty() && text.find_first_not_of(harmless) == std::string_view::npos) return std::string{text};
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += R"('\'')";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

bool can_be_started(std::string_view name_or_path) {
    return name_or_path.find('/') != std::string_view::npos || !found_in_path(name_or_path).empty();
}

std::string own_command() {
    std::error_code failed;
    const auto self = fs::read_symlink("/proc/self/exe", failed);
    if (failed || fs::equivalent(found_in_path(usual_name), self, failed)) return std::string{usual_name};
    return shell_word(self.string());
}

std::string own_path() {
    std::error_code failed;
    const auto self = fs::read_symlink("/proc/self/exe", failed);
    auto found = found_in_path(usual_name);
    if (failed || (fs::equivalent(found, self, failed) && found.is_absolute())) return found.string();
    return self.string();
}

}  // namespace countersign::app
