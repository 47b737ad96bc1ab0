// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/guard.hpp"

#include "channels/guard.hpp"

namespace countersign::channels::terminal {

std::string guarded_line(std::string_view sanitised) { return guarded(sanitised, security::DisplayMode::line); }
std::string guarded_block(std::string_view sanitised) { return guarded(sanitised, security::DisplayMode::block); }
std::string shown_line(std::string_view raw) { return displayed_line(raw); }

}  // namespace countersign::channels::terminal
