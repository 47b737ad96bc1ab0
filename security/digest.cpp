// SPDX-License-Identifier: Apache-2.0
#include "security/digest.hpp"

// Uses the functions below EVP: a log's tree has millions of hashes of 65 bytes, and the provider layer would take a
// third of the time. They are deprecated only for programs that want to replace the provider; the code behind them is
// the same.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <openssl/sha.h>

namespace countersign::security {
namespace {

// Aborts: a digest that couldn't be computed must never be compared, so there is nothing to return instead.
void must(bool done) {
    if (!done) std::abort();
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

// A plain structure of integers. It is stored in our bytes and needs no destructor.
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

namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t two_blocks_max = 2 * block_bytes - 9;  // minus the end of every message: a bit and its length

// The nodes of a tree are so short that copying them into a context and clearing it would take a fifth of the time.
Digest short_sha256(std::span<const std::uint8_t> bytes) {
    std::array<std::uint8_t, 2 * block_bytes> padded{};
    std::ranges::copy(bytes, padded.begin());
    padded[bytes.size()] = 0x80;
    const auto end = bytes.size() + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
    padded[end - 2] = static_cast<std::uint8_t>(bytes.size() >> 5U);
    padded[end - 1] = static_cast<std::uint8_t>(bytes.size() << 3U);
    SHA256_CTX context;
    must(SHA256_Init(&context) == 1);
    must(SHA256_Update(&context, padded.data(), end) == 1);  // whole blocks: nothing is buffered
    std::array<std::uint32_t, 8> words;
    std::ranges::transform(context.h, words.begin(), [](std::uint32_t word) {
        return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
    });
    return std::bit_cast<Digest>(words);
}

}  // namespace

Digest sha256(std::span<const std::uint8_t> bytes) {
    if (bytes.size() <= two_blocks_max) return short_sha256(bytes);
    SHA256_CTX context;
    Digest digest;
    must(SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes.data(), bytes.size()) == 1);
    must(SHA256_Final(digest.data(), &context) == 1);
    return digest;
}

Digest sha256(std::string_view bytes) { return sha256(bytes_of(bytes)); }

}  // namespace countersign::security
