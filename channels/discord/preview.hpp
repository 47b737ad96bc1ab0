// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/preview.hpp"

namespace countersign::channels::discord {

extern const Preview preview;

}  // namespace countersign::channels::discord
