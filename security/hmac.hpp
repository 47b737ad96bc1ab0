// SPDX-License-Identifier: Apache-2.0
// Keyed digests, and the only safe ways to compare them.
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

// The parts are hashed one after the other with nothing between them, so the caller must make them unambiguous. The key
// must not be empty: verifiers check that before, and here an empty key aborts the process, because anyone can compute
// a MAC without a key.
[[nodiscard]] Mac256 hmac_sha256(const Secret& key, std::initializer_list<std::string_view> parts);
// Only for Twilio. New uses must take SHA-256.
[[nodiscard]] Mac160 hmac_sha1(const Secret& key, std::initializer_list<std::string_view> parts);

// Takes the same time for every position of the first difference. Lengths are public; values of different lengths
// aren't equal.
[[nodiscard]] bool equal_in_constant_time(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other);
[[nodiscard]] bool equal_in_constant_time(std::string_view one, std::string_view other);

// True if `given` is the secret. Compares digests of equal length, so that not even the secret's length affects the
// time. Nothing matches an empty secret.
[[nodiscard]] bool is_secret(const Secret& secret, std::string_view given);

}  // namespace countersign::security
