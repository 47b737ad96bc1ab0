// SPDX-License-Identifier: Apache-2.0
// From an Update to what every chat channel reads. Pure.
//
// The bytes were verified before they got here. Who it was is `from.id` alone: names can be changed by whoever has
// them.
#pragma once

#include "channels/press.hpp"
#include "channels/telegram/update.hpp"
#include "channels/typed.hpp"

#include <cstdint>

namespace countersign::channels::telegram {

// `bot` is our own id: a button on another sender's message is not ours.
[[nodiscard]] Press press_of(const Click& click, std::int64_t bot);
[[nodiscard]] Typed typed_of(const Text& text, std::int64_t bot);

}  // namespace countersign::channels::telegram
