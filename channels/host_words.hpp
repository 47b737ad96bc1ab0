// SPDX-License-Identifier: Apache-2.0
// What is said of a host that may not be the one it looks like. Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "core/request.hpp"

namespace countersign::channels {

// The line, with places for host, looks and ascii.
[[nodiscard]] Key key_of(SuspectHost::Kind kind);

// Whether the line is followed by what the network calls the host: Key::host_ascii.
[[nodiscard]] bool tells_ascii(const SuspectHost& host);

}  // namespace countersign::channels
