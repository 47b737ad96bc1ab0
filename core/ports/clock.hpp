// SPDX-License-Identifier: Apache-2.0
// Clock: the only source of time for deadlines, retries, windows and records. Use plain Asio timers only for sockets.
#pragma once

#include "core/time.hpp"

#include <boost/asio/awaitable.hpp>

namespace countersign {

class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual WallTime wall() const = 0;
    [[nodiscard]] virtual BootTime boot() const = 0;
    // Resumes at or after `when`. If cancelled, it throws boost::system::system_error, as every Asio operation does; a
    // TaskGroup treats that as the end of the task.
    virtual boost::asio::awaitable<void> sleep_until(BootTime when) = 0;
};

}  // namespace countersign
