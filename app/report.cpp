// SPDX-License-Identifier: Apache-2.0
#include "app/report.hpp"

#include "app/output.hpp"
#include "security/display/display.hpp"

namespace countersign::app {

int exit_code_of(const Error& error) {
    switch (error.code) {
    case Errc::damaged:
        return exit_log_damaged;
    case Errc::busy:
        return exit_busy;
    default:
        return exit_does_not_hold;
    }
}

int report(const Error& error) {
    // The detail already says what is wrong in the configuration; our name for this class of error would add nothing.
    const auto text = error.code == Errc::bad_config ? error.detail : describe(error);
    tell("{}\n", security::display(text, security::DisplayMode::line));
    return exit_code_of(error);
}

int usage_error(const std::string& why) {
    report({Errc::bad_config, why});
    return exit_usage;
}

}  // namespace countersign::app
