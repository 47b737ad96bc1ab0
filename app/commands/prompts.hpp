// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/line_framing.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <optional>
#include <string>

namespace countersign::app {

// The lines of standard input, one prompt each; a line past prompt_bytes_max is passed over, with a word on standard
// error. A file is read as it stands, a pipe or terminal as it comes.
class PromptLines {
public:
    explicit PromptLines(boost::asio::any_io_executor executor);
    // Nothing at the end of the input.
    boost::asio::awaitable<std::optional<std::string>> next();

private:
    boost::asio::awaitable<std::string> read_some();  // empty at the end

    boost::asio::posix::stream_descriptor input_;
    bool waits_ = false;  // something that can be waited for: no regular file
    bool ended_ = false;
    net::LineFraming framing_;
};

}  // namespace countersign::app
