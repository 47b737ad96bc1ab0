// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/catalogue.hpp"
#include "core/draft.hpp"
#include "core/request.hpp"

#include <string>

namespace countersign::channels {

// "1. React, Vue": what is taken so far. A written answer is only said to be there.
[[nodiscard]] std::string draft_words(const Draft& draft, const Questionnaire& questionnaire, Language language = {});

}  // namespace countersign::channels
