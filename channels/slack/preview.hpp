// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/preview.hpp"

namespace countersign::channels::slack {

extern const Preview preview;

}  // namespace countersign::channels::slack
