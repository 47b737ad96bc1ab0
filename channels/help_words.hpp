// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/phrase.hpp"

namespace countersign::channels {

// A line for each command that can be typed.
[[nodiscard]] Phrase help_words(Language language);

}  // namespace countersign::channels
