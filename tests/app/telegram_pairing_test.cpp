// SPDX-License-Identifier: Apache-2.0
// Pairing against a fake Bot API: which account is bound, which isn't, and for how long the code works.
#include "app/input.hpp"
#include "app/setup/ask.hpp"
#include "app/setup/files.hpp"
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/kind.hpp"
#include "channels/telegram/pairing.hpp"
#include "core/limits.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>

namespace countersign::app::setup {
namespace {

namespace asio = boost::asio;
using channels::telegram::pair;
using channels::telegram::Paired;
using testing::HasSubstr;
using testing::Not;

const std::string code = "ABCD1234";
const std::string second_code = "EFGH5678";

// Answers each getUpdates with the next batch. Without one, a minute passes and no message arrived.
class Telegram final : public HttpClient {
public:
    explicit Telegram(fakes::FakeClock& clock) : clock_{clock} {}
    asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
        const auto body = std::get<std::string>(request.body);
        if (request.url.ends_with("/sendMessage")) {
            sent.push_back(body);
            co_return HttpResponse{.status = 200, .body = R"({"ok":true,"result":{}})"};
        }
        asked.push_back(body);
        if (batches.empty()) {
            clock_.advance(std::chrono::minutes{1});
            co_return HttpResponse{.status = 200, .body = R"({"ok":true,"result":[]})"};
        }
        auto batch = std::move(batches.front());
        batches.pop_front();
        co_return HttpResponse{.status = 200, .body = R"({"ok":true,"result":[)" + batch + "]}"};
    }
    std::deque<std::string> batches;
    std::vector<std::string> asked;
    std::vector<std::string> sent;

private:
    fakes::FakeClock& clock_;
};

std::string message(int update, int from, const std::string& text, const std::string& chat = "private",
                    bool bot = false) {
    return R"({"update_id":)" + std::to_string(update) + R"(,"message":{"message_id":1,"from":{"id":)" +
           std::to_string(from) + R"(,"first_name":"Ann","is_bot":)" + (bot ? "true" : "false") + R"(},"chat":{"id":)" +
           std::to_string(chat == "private" ? from : -from) + R"(,"title":"Ops","type":")" + chat + R"("},"text":")" +
           text + "\"}}";
}

// The same, but forwarded from another person.
std::string forwarded(std::string update) {
    const std::string date = R"("message_id":1,)";
    return update.replace(update.find(date), date.size(), date + R"("forward_origin":{"type":"hidden_user"},)");
}

class Pairing : public testing::Test {
protected:
    Result<Paired> paired() {
        Result<Paired> result;
        const auto new_code = [this] { return codes_shown++ == 0 ? code : second_code; };
        asio::co_spawn(io, pair(client, clock, {.new_code = new_code, .wrong_code = [this] { ++wrong_codes; }}),
                       [&](const std::exception_ptr& failed, Result<Paired> outcome) {
                           if (failed) std::rethrow_exception(failed);
                           result = std::move(outcome);
                       });
        io.run();
        return result;
    }
    asio::io_context io;
    fakes::FakeClock clock;
    Telegram bot{clock};
    channels::telegram::TelegramClient client{bot, "https://api.telegram.org",
                                              security::Secret{std::string_view{"1:secret"}}};
    int wrong_codes = 0;
    int codes_shown = 0;
};

TEST_F(Pairing, BindsTheSenderOfTheCodeAndTellsThem) {
    bot.batches = {message(7, 77, "/start " + code)};
    const auto result = paired();
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->person, 77);
    EXPECT_EQ(result->first_name, "Ann");
    EXPECT_THAT(bot.asked.back(), HasSubstr(R"("offset":8)")) << "the code is confirmed, and not read again";
    ASSERT_EQ(bot.sent.size(), 1U);
    EXPECT_THAT(bot.sent[0], HasSubstr("Go back to your terminal"));
}

TEST_F(Pairing, ASenderWithoutTheRightCodeIsToldWhatIsMissingAndNotBound) {
    bot.batches = {message(1, 666, "/start") + "," + message(2, 666, "/start 00000000") + "," +
                       message(3, 666, "is it " + code + "?"),
                   message(4, 77, "/start " + code)};
    EXPECT_EQ(paired()->person, 77);
    EXPECT_EQ(wrong_codes, 1);
    ASSERT_EQ(bot.sent.size(), 4U);
    EXPECT_THAT(bot.sent[1], HasSubstr("the code that your terminal shows"));
    EXPECT_THAT(bot.sent[1], Not(HasSubstr(code)));
}

TEST_F(Pairing, TheCodeBindsNoAccountInAGroupAndNoBot) {
    bot.batches = {message(1, 5, "/start " + code, "supergroup") + "," +
                   message(2, 6, "/start " + code, "private", true)};
    const auto result = paired();
    EXPECT_EQ(result.error().code, Errc::timeout);
    EXPECT_TRUE(bot.sent.empty());
}

TEST_F(Pairing, ACodeThatAGroupHasSeenIsInvalidAndTheNextOneWorks) {
    for (const auto& said : {"/start " + code, "/start@our_bot " + code, "is it " + code + "?"}) {
        codes_shown = wrong_codes = 0;
        io.restart();
        bot.batches = {message(1, 5, said, "supergroup") + "," + message(2, 666, "/start " + code),
                       message(3, 5, said, "group") + "," + message(4, 77, "/start " + second_code)};
        const auto result = paired();
        ASSERT_TRUE(result) << describe(result.error());
        EXPECT_EQ(result->person, 77);
        EXPECT_EQ(codes_shown, 2) << "the old one burns no other";
        EXPECT_EQ(wrong_codes, 1);
    }
}

TEST_F(Pairing, AForwardedCodeBindsNoAccountAndBecomesInvalid) {
    bot.batches = {forwarded(message(1, 666, "/start " + code)) + "," + message(2, 666, "/start " + code),
                   message(3, 77, "/start " + second_code)};
    EXPECT_EQ(paired()->person, 77);
    EXPECT_EQ(codes_shown, 2);
    EXPECT_THAT(bot.sent.at(0), HasSubstr("the code that your terminal shows"));
}

TEST_F(Pairing, ACodeThatAPersonDidNotSendThemselvesBindsNobodyAndCountsNoMore) {
    for (const std::string mark : {R"("is_from_offline":true,)", R"("business_connection_id":"b",)",
                                   R"("sender_business_bot":{"id":5},)", R"("external_reply":{},)"}) {
        codes_shown = 0;
        io.restart();
        auto sent = message(1, 666, "/start " + code);
        const std::string id = R"("message_id":1,)";
        sent.replace(sent.find(id), id.size(), id + mark);
        bot.batches = {sent, message(2, 77, "/start " + second_code)};
        EXPECT_EQ(paired()->person, 77) << mark;
        EXPECT_EQ(codes_shown, 2);
    }
}

TEST_F(Pairing, AnEditedMessageBindsNoAccount) {
    auto edit = message(1, 666, "/start " + code);
    const std::string kind = R"("message":)";
    edit.replace(edit.find(kind), kind.size(), R"("edited_message":)");
    auto in_group = message(3, 5, "/start " + second_code, "supergroup");
    in_group.replace(in_group.find(kind), kind.size(), R"("edited_message":)");
    bot.batches = {edit, message(2, 77, "/start " + second_code)};
    EXPECT_EQ(paired()->person, 77);
    codes_shown = 1;
    io.restart();
    bot.batches = {in_group, message(4, 77, "/start " + second_code)};
    EXPECT_EQ(paired()->person, 77);
    EXPECT_EQ(codes_shown, 3) << "others have read it there";
}

TEST_F(Pairing, OnlyTheFirstSenderOfTheCodeIsBound) {
    bot.batches = {message(1, 77, "/start " + code) + "," + message(2, 666, "/start " + code)};
    EXPECT_EQ(paired()->person, 77);
}

TEST_F(Pairing, I13_ACodeWorksForTenMinutes) {
    EXPECT_EQ(paired().error().code, Errc::timeout);
    EXPECT_EQ(bot.asked.size(), 10U) << "a minute each";
    bot.asked.clear();
    io.restart();
    codes_shown = 0;
    bot.batches = {message(1, 5, "/start " + code, "group")};
    EXPECT_EQ(paired().error().code, Errc::timeout);
    EXPECT_EQ(bot.asked.size(), 11U) << "the next code has its own";
}

TEST_F(Pairing, I13_RequestsABoundedNumberOfUpdates) {
    bot.batches = {message(7, 77, "/start " + code)};
    ASSERT_TRUE(paired());
    EXPECT_THAT(bot.asked.front(), HasSubstr("\"limit\":" + std::to_string(limits::telegram_updates_max)));
}

TEST_F(Pairing, I13_AnswersABoundedNumberOfSendersWithoutTheCode) {
    for (std::size_t i = 0; i <= limits::pairing_replies_max; ++i) {
        bot.batches.push_back(message(static_cast<int>(i), 666, "hello"));
    }
    EXPECT_EQ(paired().error().code, Errc::timeout);
    EXPECT_EQ(bot.sent.size(), limits::pairing_replies_max);
}

TEST_F(Pairing, I13_RemembersABoundedNumberOfGroups) {
    for (std::size_t i = 1; i <= limits::paired_groups_max + 1; ++i) {
        bot.batches.push_back(message(static_cast<int>(i), static_cast<int>(i), "hello", "group"));
    }
    bot.batches.push_back(message(1'000, 77, "/start " + code));
    EXPECT_EQ(paired()->groups.size(), limits::paired_groups_max);
}

TEST(SetupNames, AFirstNameBecomesAValidNameForTheConfiguration) {
    EXPECT_EQ(name_from("Ann-Lee_2"), "ann-lee_2");
    EXPECT_EQ(name_from("Jürgen K."), "jrgenk");
    EXPECT_EQ(name_from("Ольга"), "me");
    EXPECT_EQ(name_from(std::string(100, 'A')), std::string(limits::config_name_bytes_max, 'a'));
}

TEST(SetupFiles, APathWithQuotesRemainsOneString) {
    const auto toml = configuration_toml({.kind = &channels::telegram::kind,
                                          .title = "Telegram",
                                          .person = "me",
                                          .id = "1",
                                          .channel = "phone",
                                          .settings = {{"token_file", R"(/a "b"\c)"}}});
    EXPECT_THAT(toml, HasSubstr(R"(token_file = "/a \"b\"\\c")"));
}

TEST(SetupFiles, I13_TheFirstOriginalIsKeptAndTheLastOfTenCopiesIsReplaced) {
    std::string directory = testing::TempDir() + "countersign-setup-XXXXXX";
    ASSERT_NE(::mkdtemp(directory.data()), nullptr);
    const auto file = directory + "/countersign.toml";
    EXPECT_EQ(*keep_copy(file), "") << "there is nothing to keep";
    for (int change = 0; change < 12; ++change) {
        ASSERT_TRUE(write_private(file, "text " + std::to_string(change), true));
        const auto kept = keep_copy(file);
        ASSERT_TRUE(kept);
        EXPECT_EQ(*kept, change == 0 ? file + ".bak" : file + ".bak." + std::to_string(std::min(change, 9)));
    }
    EXPECT_EQ(*read_file(file + ".bak"), "text 0");
    EXPECT_EQ(*read_file(file + ".bak.1"), "text 1");
    EXPECT_EQ(*read_file(file + ".bak.9"), "text 11");
    std::filesystem::remove_all(directory);
}

TEST(SetupQuestions, I13_AfterAWrongAnswerItAsksAgainUpToThreeTimesInAll) {
    std::size_t asked = 0;
    const auto wrong = ask_again<std::string>(limits::setup_tries_max, [&]() -> Result<std::string> {
        ++asked;
        return Error{Errc::missing_secret, "this is not a bot's token"};
    });
    EXPECT_EQ(wrong.error().code, Errc::missing_secret);
    EXPECT_EQ(asked, 3U);
    asked = 0;
    const auto right = ask_again<std::string>(3, [&]() -> Result<std::string> {
        if (++asked == 1) return Error{Errc::bad_config, "a name has a-z only"};
        return std::string{"me"};
    });
    EXPECT_EQ(*right, "me");
    asked = 0;
    const auto ended = ask_again<std::string>(3, [&]() -> Result<std::string> {
        ++asked;
        return Error{Errc::unavailable, "the input has ended"};
    });
    EXPECT_FALSE(ended);
    EXPECT_EQ(asked, 1U);
}

}  // namespace
}  // namespace countersign::app::setup
