// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/channel_kind.hpp"

namespace countersign::channels::discord {

extern const ChannelKind kind;

}  // namespace countersign::channels::discord
