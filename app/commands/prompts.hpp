// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/line_framing.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <optional>
#include <string>

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

}  // namespace countersign::app
