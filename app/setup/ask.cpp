// SPDX-License-Identifier: Apache-2.0
#include "app/setup/ask.hpp"
#include "app/output.hpp"

#include "core/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <termios.h>
#include <unistd.h>

namespace countersign::app::setup {
namespace {

termios echoing;  // the original settings; global, because a signal handler has no object

// The handler is reset to the default before it runs, so raising the signal again ends the process as usual.
extern "C" void echo_and_end(int signal) {
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &echoing);
    ::raise(signal);
}

// Disables echo while it lives. Echo is restored even if a signal ends the process.
class NoEcho {
public:
    NoEcho() {
        if (::tcgetattr(STDIN_FILENO, &echoing) != 0) return;
        struct sigaction handler{};
        handler.sa_handler = echo_and_end;
        handler.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
        for (std::size_t i = 0; i < signals.size(); ++i) {
            ::sigaction(signals[i], &handler, &before_[i]);
            if (before_[i].sa_handler == SIG_IGN) ::sigaction(signals[i], &before_[i], nullptr);
        }
        auto quiet = echoing;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        quiet_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
        handles_ = true;
    }
    NoEcho(const NoEcho&) = delete;
    NoEcho& operator=(const NoEcho&) = delete;
    ~NoEcho() {
        if (quiet_ && ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &echoing) == 0) tell("\n");
        if (!handles_) return;
        for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    }

private:
    static constexpr std::array signals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    std::array<struct sigaction, signals.size()> before_{};
    bool handles_ = false;
    bool quiet_ = false;
};

// Reads byte by byte: bytes after the line belong to the next question.
template <class Take> Result<void> read_line(std::size_t bytes_max, Take take) {
    for (std::size_t count = 0;; ++count) {
        char byte = 0;
        const auto got = ::read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 && count == 0) return Error{Errc::unavailable, "the input has ended"};
        if (got <= 0 || byte == '\n') return {};
        if (count >= bytes_max) return Error{Errc::too_large, "that is too long"};
        take(byte, count);
    }
}

}  // namespace

Result<security::Secret> ask_secret(const std::string& question) {
    tell("{}", question);
    const NoEcho quiet;
    auto secret = security::Secret::zeroed(limits::config_text_bytes_max);
    std::size_t size = 0;
    const auto read = read_line(secret.size(), [&](char byte, std::size_t at) {
        secret.writable()[at] = static_cast<std::uint8_t>(byte);
        size = at + 1;
    });
    if (!read) return read.error();
    secret.shorten(size);
    return secret;
}

Result<std::string> ask_line(const std::string& question, const std::string& usual) {
    tell("{}{} ", question, usual.empty() ? "" : " [" + usual + "]");
    std::string line;
    const auto read = read_line(limits::config_text_bytes_max, [&](char byte, std::size_t) { line += byte; });
    if (!read) return read.error();
    return line.empty() ? usual : line;
}

Result<security::Secret> ask_credential(const channels::Credential& credential,
                                        const std::function<Result<void>(const security::Secret& value)>& check) {
    if (!credential.steps.empty()) tell("\n{}\n", credential.steps);
    return ask_again<security::Secret>(tries_of_input(), [&]() -> Result<security::Secret> {
        auto secret = ask_secret(std::string{credential.question});
        if (!secret) return secret.error();
        if (const auto right = check(*secret); !right) return right.error();
        return secret;
    });
}

bool input_is_terminal() { return ::isatty(STDIN_FILENO) == 1; }

std::size_t tries_of_input() { return input_is_terminal() ? limits::setup_tries_max : 1; }

}  // namespace countersign::app::setup
