// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

namespace countersign::app {
namespace {

struct Diverted {
    std::mutex guard;
    OutputDiversion::Streams streams;
    std::shared_ptr<const OutputDiversion::Take> take;
};
Diverted& diverted() {
    static Diverted the_one;
    return the_one;
}

std::shared_ptr<const OutputDiversion::Take> diversion_of(const std::FILE* stream) {
    auto& now = diverted();
    const std::scoped_lock locked{now.guard};
    const bool taken = (stream == stdout && now.streams.out) || (stream == stderr && now.streams.error);
    return taken ? now.take : nullptr;
}

}  // namespace

OutputDiversion::OutputDiversion(Streams streams, Take take) {
    auto& now = diverted();
    const std::scoped_lock locked{now.guard};
    now.streams = streams;
    now.take = std::make_shared<const Take>(std::move(take));
}

OutputDiversion::~OutputDiversion() {
    auto& now = diverted();
    const std::scoped_lock locked{now.guard};
    now.streams = {};
    now.take.reset();
}

void write_to(std::FILE* stream, std::string_view text) noexcept {
    if (const auto take = diversion_of(stream)) return (*take)(stream, std::string{text});
    write_through(stream, text);
}

void write_through(std::FILE* stream, std::string_view text) noexcept {
    if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0) return;
    // The stream stores the error, and there is nowhere else to report it.
}

bool reader_left() noexcept {
    pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

bool result_written() noexcept { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace countersign::app
