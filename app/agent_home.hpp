// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"
#include "core/policy.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "security/redact/current_redactor.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <string>

namespace countersign::app {

// AgentHome: everything an agent's adapter needs from us, whether the hub is in this process or another. All borrowed.
struct AgentHome {
    boost::asio::any_io_executor executor;
    Asking& hub;
    Clock& clock;
    Ids& ids;
    const security::CurrentRedactor& redactor;
    std::function<Rules()> rules;                                  // the current ones
    std::function<AlwaysMode(const std::string& runtime)> always;  // the current mode
};

}  // namespace countersign::app
