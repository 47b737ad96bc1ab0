// SPDX-License-Identifier: Apache-2.0
#include "security/digest.hpp"

#include "security/encoding.hpp"

#include <gtest/gtest.h>

namespace countersign::security {
namespace {

// FIPS 180-4 examples.
TEST(Digest, IsSha256) {
    EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Digest, OfManyPiecesIsTheDigestOfTheWhole) {
    Sha256 hash;
    for (int i = 0; i < 1000; ++i) hash.update(std::string(1000, 'a'));
    EXPECT_EQ(hex(hash.finish()), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    hash.update("a").update("").update(Bytes{'b', 'c'});
    EXPECT_EQ(hash.finish(), sha256("abc"));
}

TEST(Digest, IsReusableAfterFinish) {
    Sha256 hash;
    hash.update("abc");
    EXPECT_EQ(hash.finish(), sha256("abc"));
    EXPECT_EQ(hash.finish(), sha256(""));
}

// Short messages take another code path, which could fail at the lengths around one and two blocks.
TEST(Digest, OfPiecesOfAnyLengthIsTheDigestOfTheWhole) {
    std::string text;
    for (int length = 0; length <= 260; ++length) {
        EXPECT_EQ(sha256(text), Sha256{}.update(text).finish()) << length;
        text += static_cast<char>(length * 7 + 1);
    }
}

TEST(Digest, IncludesNulBytes) { EXPECT_NE(sha256(std::string_view{"a\0", 2}), sha256("a")); }

}  // namespace
}  // namespace countersign::security
