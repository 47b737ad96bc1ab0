// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// Of these environment variable names, the ones that an agent may inherit: locations, language, proxies and
// certificates, and those that begin in one of its own ways. Nothing of Countersign's.
[[nodiscard]] std::vector<std::string> inherited_environment(const std::vector<std::string>& names,
                                                             std::span<const std::string_view> own_beginnings);

}  // namespace countersign::runtimes
