// SPDX-License-Identifier: Apache-2.0
// Our own sentences for who gave an order. Pure.
#pragma once

#include "channels/phrase.hpp"
#include "core/order.hpp"
#include "core/result.hpp"

namespace countersign::channels {

// What came of an order: all of it, and what did not work.
[[nodiscard]] Phrase order_words(const Order& order, const Result<Carried>& carried, Language language);

}  // namespace countersign::channels
