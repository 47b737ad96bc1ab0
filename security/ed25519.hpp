// SPDX-License-Identifier: Apache-2.0
// Ed25519 signatures (RFC 8032), verified strictly: a message has exactly one valid signature, in one encoding.
//
// A public key of low order accepts signatures that anyone can make. The all-zero key is one of them, so a forgotten
// setting would let everyone in. Such a key can't become an Ed25519PublicKey.
#pragma once

#include "core/result.hpp"
#include "security/secret.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace countersign::security {

using Ed25519Signature = std::array<std::uint8_t, 64>;

class Ed25519PublicKey {
public:
    // 64 hexadecimal digits. Errc::bad_config for a wrong length or character, and for a value that isn't a point,
    // isn't encoded canonically, or isn't in the group of prime order.
    [[nodiscard]] static Result<Ed25519PublicKey> parse(std::string_view hex);
    [[nodiscard]] static Result<Ed25519PublicKey> from_bytes(std::span<const std::uint8_t> bytes);

    [[nodiscard]] bool verify(const Ed25519Signature& signature, std::string_view message) const;
    [[nodiscard]] const std::array<std::uint8_t, 32>& bytes() const { return bytes_; }
    friend bool operator==(const Ed25519PublicKey&, const Ed25519PublicKey&) = default;

private:
    Ed25519PublicKey() = default;
    std::array<std::uint8_t, 32> bytes_{};
};

class Ed25519SigningKey {
public:
    // From the 32-byte seed of RFC 8032, as in a key file.
    [[nodiscard]] static Result<Ed25519SigningKey> from_seed(const Secret& seed);

    [[nodiscard]] Ed25519Signature sign(std::string_view message) const;
    [[nodiscard]] Ed25519PublicKey public_key() const;

private:
    explicit Ed25519SigningKey(Secret key) : key_{std::move(key)} {}
    Secret key_;  // seed and public key, as libsodium expects them
};

}  // namespace countersign::security
