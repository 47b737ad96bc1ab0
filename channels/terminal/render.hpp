// SPDX-License-Identifier: Apache-2.0
// Presentation and Conclusion into text for a terminal. Pure: the same values give the same bytes.
//
// The display fields of a request are redacted and sanitised when it is made, and a reason when the hub takes it: they
// are only guarded here. Names and errors come straight from elsewhere and go through the display sanitiser here.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/refusal_words.hpp"
#include "channels/terminal/style.hpp"
#include "core/ports/channel.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace countersign::limits {

inline constexpr std::size_t terminal_blank_rows_max = 2;  // in a row; more are only counted on the card

}  // namespace countersign::limits

namespace countersign::channels::terminal {

// The whole card, ending in a newline. Everything of the call is in it, however long it is (I7). What can be chosen is
// in it where no widget lists it below: in plain style, and where a row of the widget would be cut.
[[nodiscard]] std::string card(const Presentation& presentation, WallTime now, const Style& style);

// How it ended, who decided and how long it took; below it its record, and that the agent did not hear it. In rows of
// the terminal's width.
[[nodiscard]] std::string conclusion(const Conclusion& conclusion, const Style& style, Language language);
// "1 of 2: alice"
[[nodiscard]] std::string progress(const CardState& state, Language language);
// Why an attempt decided nothing, on one line.
[[nodiscard]] std::string refused(const Error& why, const Listener& to);

}  // namespace countersign::channels::terminal
