// SPDX-License-Identifier: Apache-2.0
#include "app/commands/input.hpp"
#include "app/output.hpp"

#include "app/process.hpp"
#include "core/limits.hpp"
#include "security/display.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace countersign::app {
namespace {

Result<std::string> read_all(int descriptor, const std::string& name) {
    std::string text;
    std::array<char, 64 * 1024> buffer;
    for (;;) {
        const auto count = ::read(descriptor, buffer.data(), buffer.size());
        if (count == 0) return text;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return Error{Errc::unavailable, name + ": " + std::system_category().message(errno)};
        text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > limits::command_input_bytes_max) {
            return Error{Errc::too_large,
                         name + ": more than " + std::to_string(limits::command_input_bytes_max) + " bytes"};
        }
    }
}

}  // namespace

Result<std::string> read_input() { return read_all(STDIN_FILENO, "standard input"); }

Result<std::string> read_file(const std::string& path) {
    if (path == "-") return read_input();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return Error{Errc::unavailable, path + ": " + std::system_category().message(errno)};
    auto text = read_all(descriptor, path);
    ::close(descriptor);
    return text;
}

int report(const Error& error) {
    // What somebody wrote wrong is said in the detail; the word for its kind is ours, and tells them nothing.
    const auto text = error.code == Errc::bad_config ? error.detail : describe(error);
    tell("{}\n", security::display(text, security::DisplayMode::line));
    return exit_code_of(error);
}

int usage_error(const std::string& why) {
    report({Errc::bad_config, why});
    return exit_usage;
}

}  // namespace countersign::app
