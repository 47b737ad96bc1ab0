// SPDX-License-Identifier: Apache-2.0
// Discord's half of `countersign setup`: the application and its bot, the server, the slash commands, the person, and
// the two ways that presses come in.
#pragma once

#include "channels/setup.hpp"

namespace countersign::channels::discord {

extern const SetupKind setup_kind;

}  // namespace countersign::channels::discord
