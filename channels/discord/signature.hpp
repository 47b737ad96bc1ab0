// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/signature_check.hpp"

namespace countersign::channels::discord {

extern const SignatureCheck signature_check;

}  // namespace countersign::channels::discord
