// SPDX-License-Identifier: Apache-2.0
#include "security/digest.hpp"

// The functions below EVP: a log's tree is millions of hashes of 65 bytes, of which the way through a provider would take
// a third. They are deprecated for those who want to exchange the provider, and the same code behind it.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <cstdlib>
#include <new>
#include <openssl/sha.h>

namespace countersign::security {
namespace {

// A digest that was not computed must never be compared with anything, so there is nothing to return instead.
void must(bool done) {
    if (!done) std::abort();
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

// A plain structure of numbers; it lives in our bytes, and ends with them.
static_assert(sizeof(SHA256_CTX) == 112 && alignof(SHA256_CTX) <= 8);

Sha256::Sha256() { begin(); }

void Sha256::begin() { must(SHA256_Init(new (context_.data()) SHA256_CTX) == 1); }

Sha256& Sha256::update(std::span<const std::uint8_t> bytes) {
    must(SHA256_Update(reinterpret_cast<SHA256_CTX*>(context_.data()), bytes.data(), bytes.size()) == 1);
    return *this;
}

Sha256& Sha256::update(std::string_view bytes) { return update(bytes_of(bytes)); }

Digest Sha256::finish() {
    Digest digest{};
    must(SHA256_Final(digest.data(), reinterpret_cast<SHA256_CTX*>(context_.data())) == 1);
    begin();
    return digest;
}

Digest sha256(std::span<const std::uint8_t> bytes) {
    SHA256_CTX context;
    Digest digest;
    must(SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes.data(), bytes.size()) == 1);
    must(SHA256_Final(digest.data(), &context) == 1);
    return digest;
}

Digest sha256(std::string_view bytes) { return sha256(bytes_of(bytes)); }

}  // namespace countersign::security
