// SPDX-License-Identifier: Apache-2.0
#include "security/digest.hpp"

#include <cstdlib>
#include <openssl/evp.h>

namespace countersign::security {
namespace {

// A digest that was not computed must never be compared with anything, so there is nothing to return instead: OpenSSL
// fails here only when memory or its provider is gone.
void must(bool done) {
    if (!done) std::abort();
}

// Fetched once: EVP_sha256() would look it up again for each digest. It lives as long as the process.
const EVP_MD* algorithm() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    must(fetched != nullptr);
    return fetched;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_{EVP_MD_CTX_new()} {
    must(context_ != nullptr);
    begin();
}

void Sha256::begin() { must(EVP_DigestInit_ex2(context_.get(), algorithm(), nullptr) == 1); }

Sha256& Sha256::update(std::span<const std::uint8_t> bytes) {
    must(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
    return *this;
}

Sha256& Sha256::update(std::string_view bytes) { return update(bytes_of(bytes)); }

Digest Sha256::finish() {
    Digest digest{};
    must(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
    begin();
    return digest;
}

Digest sha256(std::span<const std::uint8_t> bytes) { return Sha256{}.update(bytes).finish(); }

Digest sha256(std::string_view bytes) { return sha256(bytes_of(bytes)); }

}  // namespace countersign::security
