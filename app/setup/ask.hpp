// SPDX-License-Identifier: Apache-2.0
// Questions to the operator at the terminal.
#pragma once

#include "app/output.hpp"
#include "channels/setup.hpp"
#include "core/result.hpp"
#include "security/display/display.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace countersign::app::setup {

// Reads a line of standard input without echo. From a pipe it is read as is.
[[nodiscard]] Result<security::Secret> ask_secret(const std::string& question);
// Reads one line; returns `usual` if it is empty.
[[nodiscard]] Result<std::string> ask_line(const std::string& question, const std::string& usual);

// Whether there is a person who can be asked.
[[nodiscard]] bool input_is_terminal();

// Repeats the question while the answer is invalid (Errc::missing_secret or bad_config, which is reported), up to this
// many tries. Piped input gets one try, because all of its answers are given already.
[[nodiscard]] std::size_t tries_of_input();
template <class Value> Result<Value> ask_again(std::size_t tries, const std::function<Result<Value>()>& ask) {
    for (;;) {
        auto answer = ask();
        if (answer || --tries == 0) return answer;
        if (answer.error().code != Errc::missing_secret && answer.error().code != Errc::bad_config) return answer;
        tell("{}\n", security::display(answer.error().detail, security::DisplayMode::line));
    }
}

// Explains how to get the credential, and asks until `check` accepts it.
[[nodiscard]] Result<security::Secret>
ask_credential(const channels::Credential& credential,
               const std::function<Result<void>(const security::Secret& value)>& check);

}  // namespace countersign::app::setup
