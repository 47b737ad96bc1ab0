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

// AgentHome: all that an agent's adapter needs of us, whether the hub is in this process or in another. Borrowed.
struct AgentHome {
    boost::asio::any_io_executor executor;
    Asking& hub;
    Clock& clock;
    Ids& ids;
    const security::CurrentRedactor& redactor;
    std::function<Rules()> rules;                                  // today's
    std::function<AlwaysMode(const std::string& runtime)> always;  // today's
};

}  // namespace countersign::app
