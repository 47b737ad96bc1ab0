// SPDX-License-Identifier: Apache-2.0
// The kinds of channels that a later release can start. The configuration knows them already, so that people can be
// given their ids, and says what is missing.
#pragma once

#include "core/channel_kind.hpp"

namespace countersign::app {

extern const ChannelKind sms_kind;
extern const ChannelKind whatsapp_kind;
extern const ChannelKind signal_kind;
extern const ChannelKind console_kind;

}  // namespace countersign::app
