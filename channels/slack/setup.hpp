// SPDX-License-Identifier: Apache-2.0
// Slack's half of `countersign setup`: the app from its manifest, its tokens, the person, and the two ways that clicks
// come in.
#pragma once

#include "channels/setup.hpp"

namespace countersign::channels::slack {

extern const SetupKind setup_kind;

}  // namespace countersign::channels::slack
