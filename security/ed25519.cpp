// SPDX-License-Identifier: Apache-2.0
#include "security/ed25519.hpp"

#include "security/encoding.hpp"
#include "security/sodium.hpp"

#include <algorithm>
#include <cstdlib>
#include <sodium.h>
#include <string>

namespace countersign::security {
namespace {

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

Result<Ed25519PublicKey> Ed25519PublicKey::parse(std::string_view hex) {
    if (hex.size() != std::size_t{2} * crypto_sign_PUBLICKEYBYTES) {
        return Error{Errc::bad_config, "an Ed25519 public key is 64 hexadecimal digits, not " +
                                           std::to_string(hex.size()) + " characters"};
    }
    const auto bytes = hex_decode(hex);
    if (!bytes) return Error{Errc::bad_config, "an Ed25519 public key has hexadecimal digits only"};
    return from_bytes(*bytes);
}

Result<Ed25519PublicKey> Ed25519PublicKey::from_bytes(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != crypto_sign_PUBLICKEYBYTES) {
        return Error{Errc::bad_config, "an Ed25519 public key has 32 bytes"};
    }
    if (std::ranges::all_of(bytes, [](auto byte) { return byte == 0; })) {
        return Error{Errc::bad_config,
                     "the Ed25519 public key is all zero: it was never set, and would accept forgeries"};
    }
    sodium_ready();
    // Rejects values that are off the curve, not canonical, of low order, or outside the group of prime order. Every
    // key made from a seed passes.
    if (crypto_core_ed25519_is_valid_point(bytes.data()) != 1) {
        return Error{Errc::bad_config, "not an Ed25519 public key that anybody generated: it could accept forgeries"};
    }
    Ed25519PublicKey key;
    std::ranges::copy(bytes, key.bytes_.begin());
    return key;
}

bool Ed25519PublicKey::verify(const Ed25519Signature& signature, std::string_view message) const {
    sodium_ready();
    return crypto_sign_verify_detached(signature.data(), bytes_of(message), message.size(), bytes_.data()) == 0;
}

Result<Ed25519SigningKey> Ed25519SigningKey::from_seed(const Secret& seed) {
    if (seed.size() != crypto_sign_SEEDBYTES) {
        return Error{Errc::missing_secret, "an Ed25519 signing key is made from a seed of 32 bytes"};
    }
    sodium_ready();
    auto key = Secret::zeroed(crypto_sign_SECRETKEYBYTES);
    std::array<std::uint8_t, crypto_sign_PUBLICKEYBYTES> public_key{};
    if (crypto_sign_seed_keypair(public_key.data(), key.writable().data(), seed.bytes().data()) != 0) {
        return Error{Errc::internal, "libsodium could not make a key from its seed"};
    }
    return Ed25519SigningKey{std::move(key)};
}

Ed25519Signature Ed25519SigningKey::sign(std::string_view message) const {
    Ed25519Signature signature{};
    crypto_sign_detached(signature.data(), nullptr, bytes_of(message), message.size(), key_.bytes().data());
    return signature;
}

Ed25519PublicKey Ed25519SigningKey::public_key() const {
    const auto key = Ed25519PublicKey::from_bytes(key_.bytes().subspan(crypto_sign_SEEDBYTES));
    if (!key) std::abort();  // a key made from a seed is always in the group
    return *key;
}

}  // namespace countersign::security
