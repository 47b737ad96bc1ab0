// SPDX-License-Identifier: Apache-2.0
#include "app/commands/prompts.hpp"

#include "app/output.hpp"
#include "core/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::app {

namespace asio = boost::asio;

PromptLines::PromptLines(asio::any_io_executor executor) : input_{executor}, framing_{limits::prompt_bytes_max} {
    struct stat status{};
    waits_ = ::fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode);
    if (!waits_) return;
    boost::system::error_code failed;
    input_.assign(::dup(STDIN_FILENO), failed);
    ended_ = static_cast<bool>(failed);
}

asio::awaitable<std::string> PromptLines::read_some() {
    std::array<char, 4096> buffer;
    if (!waits_) {
        const auto got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        co_return std::string{buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }
    // Waits until it is readable. The descriptor is shared with our parent process, so it must stay blocking.
    boost::system::error_code failed;
    co_await input_.async_wait(asio::posix::stream_descriptor::wait_read,
                               asio::redirect_error(asio::use_awaitable, failed));
    if (failed) co_return std::string{};
    const auto got = ::read(input_.native_handle(), buffer.data(), buffer.size());
    co_return std::string{buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

asio::awaitable<std::optional<std::string>> PromptLines::next() {
    for (;;) {
        if (auto line = framing_.pop()) {
            if (line->bytes_dropped == 0) co_return std::move(line->text);
            tell("a prompt of {} bytes is too long; at most {}\n", line->bytes_dropped, limits::prompt_bytes_max);
            continue;
        }
        if (ended_) co_return std::nullopt;
        const auto bytes = co_await read_some();
        ended_ = bytes.empty();
        if (ended_) {
            framing_.finish();
        } else {
            framing_.push(bytes);
        }
    }
}

asio::awaitable<void> Prompts::give(std::string prompt) {
    const auto said = co_await say_(std::move(prompt));
    if (!said) host_.say_words(channels::Key::not_said, {{"why", describe(said.error())}});
}

asio::awaitable<void> Prompts::run() {
    if (!prompt_.empty()) {
        co_await give(prompt_);
    } else {
        if (::isatty(STDIN_FILENO) == 1) tell("Type a task and Enter; Ctrl-D ends.\n");
        PromptLines lines{host_.io.get_executor()};
        while (auto line = co_await lines.next()) co_await give(std::move(*line));
    }
    no_more_();
}

Result<void> check_prompt_source(const Host& host, const std::string& prompt) {
    const bool at_terminal = host.bridge && own_terminal(host.bridge->configuration()) != nullptr;
    if (!at_terminal || !prompt.empty()) return {};
    return Error{Errc::bad_config, "the terminal channel reads standard input; give the task with --prompt"};
}

std::vector<std::string> environment_names() {
    std::vector<std::string> names;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text{*variable};
        names.emplace_back(text.substr(0, text.find('=')));
    }
    return names;
}

}  // namespace countersign::app
