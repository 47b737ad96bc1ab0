// SPDX-License-Identifier: Apache-2.0
// Keyed digests, and the only comparison that may be made on them.
#pragma once

#include "security/secret.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace countersign::security {

using Mac256 = std::array<std::uint8_t, 32>;
using Mac160 = std::array<std::uint8_t, 20>;

// The parts are hashed one after the other with nothing between them: the caller makes them unambiguous. The key is not
// empty; a verifier says so before it gets here, and a key that got lost inside the program ends the process, because a
// MAC under no key is one that anybody can make.
[[nodiscard]] Mac256 hmac_sha256(const Secret& key, std::initializer_list<std::string_view> parts);
// Twilio's only. New uses take SHA-256.
[[nodiscard]] Mac160 hmac_sha1(const Secret& key, std::initializer_list<std::string_view> parts);

// Takes the same time wherever the first difference is. Lengths are public; different ones are not equal.
[[nodiscard]] bool equal_in_constant_time(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other);
[[nodiscard]] bool equal_in_constant_time(std::string_view one, std::string_view other);

// Whether `given` is the secret itself. Compares digests of equal length, so that not even the secret's length shows in
// the time. An empty secret fits nothing.
[[nodiscard]] bool is_secret(const Secret& secret, std::string_view given);

}  // namespace countersign::security
