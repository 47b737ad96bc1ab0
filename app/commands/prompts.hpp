// SPDX-License-Identifier: Apache-2.0
// The prompts that an operator gives to an agent which we start, and the environment that it starts with.
#pragma once

#include "app/host.hpp"
#include "app/part.hpp"
#include "core/result.hpp"
#include "net/line_framing.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::app {

// PromptLines: reads standard input, one prompt per line. A line longer than prompt_bytes_max is skipped with a message
// on standard error. Files are read directly; pipes and terminals are awaited.
class PromptLines {
public:
    explicit PromptLines(boost::asio::any_io_executor executor);
    // Empty at the end of the input.
    boost::asio::awaitable<std::optional<std::string>> next();

private:
    boost::asio::awaitable<std::string> read_some();  // empty at the end

    boost::asio::posix::stream_descriptor input_;
    bool waits_ = false;  // can be awaited: not a regular file
    bool ended_ = false;
    net::LineFraming framing_;
};

// Gives the agent the prompt of the command line, or each line of standard input.
class Prompts final : public Part {
public:
    using Say = std::function<boost::asio::awaitable<Result<void>>(std::string prompt)>;
    // Borrows the host.
    Prompts(Host& host, std::string prompt, Say say, std::function<void()> no_more)
        : host_{host}, prompt_{std::move(prompt)}, say_{std::move(say)}, no_more_{std::move(no_more)} {}

    boost::asio::awaitable<void> run() override;

private:
    boost::asio::awaitable<void> give(std::string prompt);

    Host& host_;
    std::string prompt_;
    Say say_;
    std::function<void()> no_more_;
};

// The terminal channel reads standard input; a prompt typed there would be taken for an answer.
[[nodiscard]] Result<void> check_prompt_source(const Host& host, const std::string& prompt);

// The NAME of each NAME=value in our environment.
[[nodiscard]] std::vector<std::string> environment_names();

}  // namespace countersign::app
