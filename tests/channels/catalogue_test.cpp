// SPDX-License-Identifier: Apache-2.0
#include "channels/catalogue.hpp"

#include "channels/catalogue_texts.hpp"
#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/option_words.hpp"
#include "channels/telegram/text.hpp"
#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using namespace std::chrono_literals;

const Language german = language_of("de");
const Language chinese = language_of("zh");

std::vector<Key> keys() {
    std::vector<Key> all;
    for (std::size_t at = 0; at < static_cast<std::size_t>(Key::end_of_keys); ++at) all.push_back(static_cast<Key>(at));
    return all;
}

std::vector<Language> languages() {
    std::vector<Language> all;
    for (const auto tag : language_tags()) all.push_back(language_of(tag));
    return all;
}

TEST(Catalogue, ALanguageIsFoundByItsTagAndByThatOfARegion) {
    EXPECT_EQ(known_language("en"), Language{});
    EXPECT_EQ(known_language("de-AT"), german);
    EXPECT_EQ(known_language("zh-Hans-CN"), chinese);
    EXPECT_NE(german, chinese);
    for (const auto* unknown : {"", "fr", "deutsch", "DE", "e"}) {
        EXPECT_EQ(known_language(unknown), std::nullopt) << unknown;
        EXPECT_EQ(language_of(unknown), Language{}) << unknown;
    }
    EXPECT_EQ(language_tags(), (std::vector<std::string_view>{"en", "de", "zh"}));
}

TEST(Catalogue, ArgumentsStandWhereTheLanguageWantsThem) {
    EXPECT_EQ(text({}, Key::votes, {{"have", "1"}, {"need", "2"}}), "1 of 2");
    EXPECT_EQ(text(german, Key::votes, {{"need", "2"}, {"have", "1"}}), "1 von 2");
    EXPECT_EQ(text(chinese, Key::whole_text_of, {{"id", "X"}}), "请求 X 的全文");
    EXPECT_EQ(text({}, Key::submit), "Submit");
}

// What is filled in is text and nothing else: it fills in nothing itself.
TEST(Catalogue, AnArgumentIsNoPattern) {
    EXPECT_EQ(text({}, Key::votes, {{"have", "{need}"}, {"need", "{have}"}}), "{need} of {have}");
    EXPECT_EQ(text({}, Key::votes, {{"have", "1"}}), "1 of {need}") << "a place that is forgotten is seen";
}

// Every word of every language, with arguments that try to be more: only what we style is styled.
TEST(Catalogue, EveryPatternCanBeSaidInEveryLanguage) {
    for (const auto language : languages()) {
        for (const auto key : keys()) {
            std::vector<std::string_view> names;
            for (auto rest = pattern(language, key); !rest.empty();) {
                const auto part = next_part(rest);
                ASSERT_FALSE(part.text.empty());
                if (part.place) names.push_back(part.text);
            }
            const std::string hostile = "@all *b* [x](tg://u) http://e.x /deny {value}\n\u202E";
            const auto filling = [&](std::size_t at) {
                return at < names.size() ? Insert{names[at], hostile} : Insert{"", ""};
            };
            ASSERT_LE(names.size(), 4U) << "then this test needs one more below";
            const auto out = telegram::styled({language, key, {filling(0), filling(1), filling(2), filling(3)}});
            EXPECT_EQ(out.entities().size(), names.size());
            EXPECT_EQ(out.text().find('\n'), std::string::npos);
            EXPECT_EQ(out.text().find("\u202E"), std::string::npos);
            std::size_t styled = 0;
            for (const auto& entity : out.entities()) {
                EXPECT_EQ(entity.type, "code");
                styled += entity.length;
            }
            const auto words = out.units() - styled;
            EXPECT_LE(words, 160U) << "a phone shows four lines of this";
        }
    }
}

TEST(Catalogue, NoTwoKeysThatMustDifferAreTheSame) {
    for (const auto language : languages()) {
        for (const auto& [one, other] : std::vector<std::pair<Key, Key>>{{Key::allowed, Key::denied},
                                                                         {Key::label_allow, Key::label_deny},
                                                                         {Key::label_deny, Key::label_cancel},
                                                                         {Key::risk_low, Key::risk_high},
                                                                         {Key::risk_low, Key::risk_medium},
                                                                         {Key::risk_medium, Key::risk_high},
                                                                         {Key::submit, Key::cancel},
                                                                         {Key::means_once, Key::means_always},
                                                                         {Key::means_once, Key::means_session},
                                                                         {Key::expired, Key::denied},
                                                                         {Key::cancelled, Key::denied}}) {
            EXPECT_NE(pattern(language, one), pattern(language, other));
        }
    }
}

using Faulty = Row<3>;

CatalogueFault fault_in(std::string_view en, std::string_view de, std::string_view zh) {
    return fault_of(Faulty{Key::agent, {en, de, zh}}, static_cast<std::size_t>(Key::agent));
}

TEST(CatalogueCheck, ARowThatDoesNotHoldIsNamedByWhatIsWrong) {
    using enum CatalogueFault;
    EXPECT_EQ(fault_in("by {person}", "von {person}", "{person} 决定"), none);
    EXPECT_EQ(fault_in("{a} of {b}", "{b} von {a}", "{a}{b}"), none);
    EXPECT_EQ(fault_in("by", "", "由"), cell_empty);
    EXPECT_EQ(fault_in("by {person}", "von", "{person}"), places_differ);
    EXPECT_EQ(fault_in("by {person}", "von {people}", "{person}"), places_differ);
    EXPECT_EQ(fault_in("{a} {a} {b}", "{a} {b} {b}", "{a} {a} {b}"), places_differ);
    for (const auto* unreadable : {"{", "}", "{}", "{a", "a}", "{A}", "{a b}", "{{a}}"}) {
        EXPECT_EQ(fault_in(unreadable, unreadable, unreadable), places_not_readable) << unreadable;
    }
    for (const auto* marked : {"a@b", "see x.example", "*a*", "/deny", "<b>", "a\nb", "#1", "a_b", "`a`", "[a]"}) {
        EXPECT_EQ(fault_in("a", marked, "a"), mark_up) << marked;
    }
    EXPECT_EQ(fault_in("Done. It is over.", "Aus.", "完。"), none);
    EXPECT_EQ(fault_of(Faulty{Key::tool, {"a", "a", "a"}}, static_cast<std::size_t>(Key::agent)), row_missing);
}

TEST(CatalogueCheck, I13_OnePlaceTooManyIsNotRead) {
    std::string most;
    for (std::size_t at = 0; at < limits::catalogue_args_max; ++at) {
        most += std::string{"{"} + static_cast<char>('a' + at) + "}";
    }
    EXPECT_EQ(fault_in(most, most, most), CatalogueFault::none);
    const auto more = most + "{z}";
    EXPECT_EQ(fault_in(more, more, more), CatalogueFault::places_not_readable);
}

TEST(ChannelWords, SpansEffectsAndEndsAreInTheReadersLanguage) {
    EXPECT_EQ(duration(3min + 4s, german), "3 min 4 s");
    EXPECT_EQ(duration(73h, chinese), "3 天 1 小时");
    EXPECT_EQ(duration(850ms, chinese), "850 毫秒");
    const Option run{.option_id = "x", .label = "Deny", .detail = {}, .effect = Effect::allow, .scope = Scope::always};
    EXPECT_EQ(label_with_effect(run, german), "Erlauben: Deny");
    EXPECT_EQ(label_with_effect(run, chinese), "允许：Deny");
    EXPECT_EQ(meaning_of(run, german), "genau diesen Aufruf dauerhaft erlauben");
    EXPECT_EQ(words_of(Outcome::denied, german).word, "Abgelehnt");
    EXPECT_EQ(words_of(Outcome::lost, chinese).meaning, "没有执行，请重试");
    for (const auto language : languages()) {
        // Whether somebody decided is told by a meaning that is there or not, in every language.
        EXPECT_TRUE(words_of(Outcome::allowed, language).meaning.empty());
        EXPECT_FALSE(words_of(Outcome::expired, language).meaning.empty());
    }
}

TEST(ChannelWords, ALabelInAnotherLanguageGetsOurWordBeforeIt) {
    const Option erlauben{.option_id = "x", .label = "Erlauben", .detail = {}, .effect = Effect::deny};
    EXPECT_EQ(label_with_effect(erlauben, german), "Ablehnen: Erlauben");
}

}  // namespace
}  // namespace countersign::channels
