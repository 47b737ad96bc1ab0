// SPDX-License-Identifier: Apache-2.0
// The app's manifest: deploy/slack-manifest.yaml, which the build puts into the program.
#pragma once

#include <string>
#include <string_view>

namespace countersign::channels::slack {

[[nodiscard]] std::string_view manifest();

// For a webhook: each request goes to the address, and Socket Mode is off. Pure.
[[nodiscard]] std::string webhook_manifest(std::string_view manifest, std::string_view address);

}  // namespace countersign::channels::slack
