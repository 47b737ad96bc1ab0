// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "net/answer_head.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::net {
namespace {

using testing::ElementsAre;

class AnswerHeadTest : public testing::Test {
protected:
    void take(std::initializer_list<std::string_view> lines) {
        for (const auto line : lines) EXPECT_TRUE(head.take(line));
    }
    AnswerHead head;
};

TEST_F(AnswerHeadTest, NamesAreLowercasedAndValuesTrimmed) {
    take({"HTTP/1.1 200 OK\r\n", "Retry-AFTER: \t 3 \r\n", "X-Empty:\r\n", "x:a:b\r\n", "\r\n"});
    EXPECT_THAT(head.headers(),
                ElementsAre(HttpHeader{"retry-after", "3"}, HttpHeader{"x-empty", ""}, HttpHeader{"x", "a:b"}));
}

TEST_F(AnswerHeadTest, InterimAnswersTrailersAndFoldedLinesAreNotKept) {
    take({"HTTP/1.1 100 Continue\r\n", "X-Interim: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "X-Final: b\r\n",
          " folded: c\r\n", "no colon\r\n", "\r\n", "X-Trailer: d\r\n", "\r\n"});
    EXPECT_THAT(head.headers(), ElementsAre(HttpHeader{"x-final", "b"}));
}

TEST_F(AnswerHeadTest, IsCompleteAfterItsEmptyLine) {
    EXPECT_FALSE(head.whole());
    take({"HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n"});
    EXPECT_FALSE(head.whole());
    take({"\r\n", "X-Trailer: d\r\n"});
    EXPECT_TRUE(head.whole());
}

TEST_F(AnswerHeadTest, I13_OneByteMoreThanTheBoundIsTooMuch) {
    const std::string status = "HTTP/1.1 200 OK\r\n";
    take({status, "A: " + std::string(limits::http_answer_head_bytes_max - status.size() - 5, 'b') + "\r\n"});
    EXPECT_FALSE(head.take("\n"));
    EXPECT_FALSE(head.take(""));
}

TEST_F(AnswerHeadTest, I13_OneHeaderMoreThanTheBoundIsTooMuchEvenAfterTheBody) {
    take({"HTTP/1.1 200 OK\r\n"});
    for (std::size_t i = 0; i < limits::http_answer_headers_max; ++i) EXPECT_TRUE(head.take("A: b\r\n"));
    take({"\r\n"});
    EXPECT_FALSE(head.take("A: b\r\n"));
}

}  // namespace
}  // namespace countersign::net
