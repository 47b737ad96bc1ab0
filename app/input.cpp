// SPDX-License-Identifier: Apache-2.0
#include "app/input.hpp"

#include "core/limits.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
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

}  // namespace countersign::app
