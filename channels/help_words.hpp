// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/phrase.hpp"

namespace countersign::channels {

// A line for each command that can be typed, with what stands before it: a slash where bare words are no commands.
[[nodiscard]] Phrase help_words(Language language, std::string_view mark = {});

}  // namespace countersign::channels
