// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/channel_kind.hpp"

namespace countersign::channels::slack {

extern const ChannelKind kind;

}  // namespace countersign::channels::slack
