// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/phrase.hpp"
#include "core/request.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace countersign::channels {

// What is said of a host that may not be the one it looks like, in one line. `in_line` makes a name fit into it. Pure.
[[nodiscard]] Phrase host_words(const SuspectHost& host, Language language,
                                const std::function<std::string(std::string_view)>& in_line);

}  // namespace countersign::channels
