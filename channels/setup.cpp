// SPDX-License-Identifier: Apache-2.0
#include "channels/setup.hpp"

namespace countersign::channels {

void tell_unused(const SetupContext& context, std::string_view way, const ConfiguredChannel& channel,
                 const std::vector<std::string>& settings) {
    std::string unused;
    for (const auto& one : channel.only_for_webhook(settings)) unused += (unused.empty() ? "" : ", ") + one;
    if (unused.empty()) return;
    context.tell(std::string{way} + " does not need these in " + channel.file() + ": " + unused +
                 ". Delete them if nothing else does.\n");
}

}  // namespace countersign::channels
