// SPDX-License-Identifier: Apache-2.0
#include "runtimes/agent_lines.hpp"

namespace countersign::runtimes {

boost::asio::awaitable<std::optional<net::Line>> AgentLines::next() {
    for (;;) {
        auto line = framing_.pop();
        if (line || !open_) co_return line;
        const auto bytes = co_await child_.read();
        open_ = bytes.has_value() && !bytes->empty();
        if (open_) {
            framing_.push(*bytes);
        } else {
            framing_.finish();
        }
    }
}

}  // namespace countersign::runtimes
