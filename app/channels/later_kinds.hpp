// SPDX-License-Identifier: Apache-2.0
// Channel kinds that a later release can start. The configuration accepts them already, so that operators can record
// people's ids, and reports what is missing.
#pragma once

#include "core/channel_kind.hpp"

namespace countersign::app {

extern const ChannelKind sms_kind;
extern const ChannelKind whatsapp_kind;
extern const ChannelKind signal_kind;
extern const ChannelKind console_kind;

}  // namespace countersign::app
