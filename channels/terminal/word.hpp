// SPDX-License-Identifier: Apache-2.0
// The catalogue's words by another name: in this folder a Key is one of a keyboard.
#pragma once

#include "channels/catalogue.hpp"

namespace countersign::channels::terminal {

using Word = channels::Key;

}  // namespace countersign::channels::terminal
