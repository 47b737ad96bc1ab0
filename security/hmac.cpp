// SPDX-License-Identifier: Apache-2.0
#include "security/hmac.hpp"

#include <cstdlib>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace countersign::security {
namespace {

struct FreeContext {
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MAC_CTX, FreeContext>;

// Aborts: a wrong or missing MAC is worse than no process. These calls fail only without memory or the algorithm.
void require(bool held) {
    if (!held) std::abort();
}

// Fetching an algorithm costs more than hashing a short message, so it is done once and the context is copied.
Context prepared(const char* digest) {
    EVP_MAC* algorithm = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    require(algorithm != nullptr);
    Context context{EVP_MAC_CTX_new(algorithm)};
    EVP_MAC_free(algorithm);
    require(context != nullptr);
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>(digest), 0),
        OSSL_PARAM_construct_end(),
    };
    require(EVP_MAC_CTX_set_params(context.get(), params) == 1);
    return context;
}

template <std::size_t Size>
std::array<std::uint8_t, Size> hmac(const EVP_MAC_CTX* algorithm, const Secret& key,
                                    std::initializer_list<std::string_view> parts) {
    require(!key.empty());
    const Context context{EVP_MAC_CTX_dup(algorithm)};
    require(context != nullptr);
    require(EVP_MAC_init(context.get(), key.bytes().data(), key.size(), nullptr) == 1);
    for (const auto part : parts) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(part.data());
        require(EVP_MAC_update(context.get(), bytes, part.size()) == 1);
    }
    std::array<std::uint8_t, Size> mac{};
    std::size_t written = 0;
    require(EVP_MAC_final(context.get(), mac.data(), &written, mac.size()) == 1 && written == Size);
    return mac;
}

}  // namespace

Mac256 hmac_sha256(const Secret& key, std::initializer_list<std::string_view> parts) {
    static const Context algorithm = prepared("SHA256");
    return hmac<32>(algorithm.get(), key, parts);
}

Mac160 hmac_sha1(const Secret& key, std::initializer_list<std::string_view> parts) {
    static const Context algorithm = prepared("SHA1");
    return hmac<20>(algorithm.get(), key, parts);
}

bool equal_in_constant_time(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

bool equal_in_constant_time(std::string_view one, std::string_view other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

bool is_secret(const Secret& secret, std::string_view given) {
    if (secret.empty()) return false;
    return equal_in_constant_time(hmac_sha256(secret, {secret.reveal()}), hmac_sha256(secret, {given}));
}

}  // namespace countersign::security
