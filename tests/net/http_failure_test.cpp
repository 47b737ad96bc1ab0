// SPDX-License-Identifier: Apache-2.0
#include "net/http_failure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::net {
namespace {

using testing::HasSubstr;

TEST(HttpFailure, EveryLibcurlErrorIsASentenceThatNamesTheHost) {
    for (int number = 1; number < CURL_LAST; ++number) {
        const auto error = http_failure(static_cast<CURLcode>(number), 0, "chat.test");
        EXPECT_NE(error.code, Errc::internal) << number;
        EXPECT_THAT(error.detail, HasSubstr("chat.test")) << number;
    }
}

TEST(HttpFailure, ACertificateIsRefusedWithOpenSslsReason) {
    const auto error = http_failure(CURLE_PEER_FAILED_VERIFICATION, 10, "chat.test");
    EXPECT_EQ(error.code, Errc::bad_signature);
    EXPECT_THAT(error.detail, HasSubstr("certificate has expired"));
    for (const long no_complaint : {0L, 1L}) {
        EXPECT_THAT(http_failure(CURLE_PEER_FAILED_VERIFICATION, no_complaint, "chat.test").detail,
                    HasSubstr("for another name"));
    }
}

}  // namespace
}  // namespace countersign::net
