// SPDX-License-Identifier: Apache-2.0
#include "runtimes/envelope.hpp"

#include <gtest/gtest.h>

#include <string>

namespace countersign::runtimes {
namespace {

TEST(Envelope, FindsAScalarOfTheOutermostObjectAtAnyPosition) {
    const std::string line = R"( {"n":-1.5,"a":{"type":"inner","request_id":"inner"},"b":["type",{"type":"x"}],)"
                             R"("type":"result","is_error":true,"s":"with \"type\":\"quoted\" in it"})";
    EXPECT_EQ(outer_scalar(line, "type"), R"("result")");
    EXPECT_EQ(outer_scalar(line, "is_error"), "true");
    EXPECT_EQ(outer_scalar(line, "n"), "-1.5");
    EXPECT_EQ(outer_scalar(line, "request_id"), std::nullopt);
    EXPECT_EQ(outer_scalar(line, "a"), std::nullopt) << "an object is no scalar";
}

TEST(Envelope, OfARepeatedNameTheLastValueIsUsed) { EXPECT_EQ(outer_scalar(R"({"a":"1","a":"2"})", "a"), R"("2")"); }

TEST(Envelope, ATruncatedLineGivesTheMembersBeforeTheCut) {
    const std::string_view line = R"({"type":"control_request","request_id":"r1","request":{"input":{"a":"xxxx)";
    EXPECT_EQ(outer_scalar(line, "request_id"), R"("r1")");
    for (std::size_t size = 0; size <= line.size(); ++size) {
        const auto found = outer_scalar(line.substr(0, size), "request_id");
        EXPECT_TRUE(!found || *found == R"("r1")") << size << ": never half an id";
    }
}

TEST(Envelope, IsReadEvenIfTheRestIsTooDeepOrInvalid) {
    EXPECT_EQ(outer_scalar(R"({"id":7,"x":)" + std::string(100'000, '['), "id"), "7");
    EXPECT_EQ(outer_scalar("{\"id\":\"a\",\"x\":\"\xff\xfe\",,,}", "id"), R"("a")");
}

TEST(Envelope, TextThatIsNotAnObjectHasNone) {
    for (const auto* text : {"", "  ", "x", "[\"id\",1]", "\"id\":1", "}{\"id\":1}"}) {
        EXPECT_EQ(outer_scalar(text, "id"), std::nullopt) << text;
    }
    EXPECT_EQ(outer_scalar(R"({}{"id":1})", "id"), std::nullopt);
}

}  // namespace
}  // namespace countersign::runtimes
