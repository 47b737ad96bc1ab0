// SPDX-License-Identifier: Apache-2.0
#include "core/attempt.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

TEST(Attempt, AssurancesAreOrderedAndKeepTheirNames) {
    EXPECT_LT(Assurance::sms_code, Assurance::chat);
    EXPECT_LT(Assurance::chat, Assurance::token);
    EXPECT_LT(Assurance::token, Assurance::passkey);
    for (const auto assurance : {Assurance::sms_code, Assurance::chat, Assurance::token, Assurance::passkey}) {
        EXPECT_EQ(assurance_named(name(assurance)), assurance);
    }
    EXPECT_EQ(name(Assurance::sms_code), "sms-code");
    EXPECT_EQ(assurance_named("Chat"), std::nullopt);
    EXPECT_EQ(assurance_named(""), std::nullopt);
}

TEST(MessageRef, IsOnePrintableString) {
    const MessageRef ref{{.channel = "ops", .chat = "-100123", .thread = "", .message = "42"}, 3};
    EXPECT_EQ(str(ref), "ops/-100123//42#3");
}

TEST(MessageRef, PartsCannotRunIntoEachOther) {
    const MessageRef one{{.channel = "a/b", .chat = "c", .thread = "", .message = "d#1"}, 0};
    const MessageRef other{{.channel = "a", .chat = "b/c", .thread = "", .message = "d"}, 1};
    EXPECT_EQ(str(one), "a%2Fb/c//d%231#0");
    EXPECT_NE(str(one), str(other));
}

TEST(MessageRef, AnyCharactersInAPlatformsIdsArePrintedAsAscii) {
    const MessageRef ref{{.channel = "\xc3\xa5", .chat = "%", .thread = "a b\n", .message = std::string(1, '\0')}, 0};
    EXPECT_EQ(str(ref), "%C3%A5/%25/a%20b%0A/%00#0");
}

TEST(MessageRefTest, AReferenceIsReadBackAsPrinted) {
    for (const MessageRef& ref :
         {MessageRef{{"ops", "-100/2", "", "44"}, 3}, MessageRef{{"o#p%s", "ü", "t", "m"}, 0}}) {
        EXPECT_EQ(message_ref_of(str(ref)), ref);
    }
    for (const auto* text :
         {"", "a/b/c#1", "a/b/c/d", "a/b/c/d#", "a/b/c/d#x", "a/b/c/d/e#1", "a/%zz/c/d#1", "a/%4/c/d#1"}) {
        EXPECT_FALSE(message_ref_of(text)) << text;
    }
}

}  // namespace
}  // namespace countersign
