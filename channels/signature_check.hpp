// SPDX-License-Identifier: Apache-2.0
// What `check signature <kind>` needs of a platform: how one webhook delivery is verified.
//
// An operator has the delivery from a capture, and wants to know which of the usual things went wrong: another key, a
// body that something on the way re-encoded, a clock, a header that was cut. The verifiers tell a peer none of that.
#pragma once

#include "core/result.hpp"
#include "security/freshness.hpp"

#include <string>
#include <string_view>

namespace countersign::channels {

struct CapturedDelivery {
    std::string timestamp = {};  // the header's value; empty where the platform signs no time
    std::string signature = {};  // the same
    std::string body = {};       // as it came, byte for byte
    security::FreshnessWindow window = {};
};

struct SignatureCheck {
    std::string_view header;     // with the signature
    bool signs_body = true;      // and a time; else the header is the secret itself
    std::string_view key;        // what verifies it, and where it is found
    bool key_is_public = false;  // it may stand on a command line; else it is read from a file
    // By the function that the front uses.
    Result<void> (*verify)(std::string_view key, const CapturedDelivery& delivery) = nullptr;
};

// The verifier's error, with one sentence on what is most likely wrong.
[[nodiscard]] Result<void> explain(const SignatureCheck& check, std::string_view key, const CapturedDelivery& delivery);

}  // namespace countersign::channels
