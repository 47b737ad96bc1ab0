// SPDX-License-Identifier: Apache-2.0
#include "tests/app/config_sample.hpp"

namespace countersign::app {
namespace {

// One mistake each. Its line, its key and a part of its message must match, and it must be the only problem.
struct Mistake {
    std::string label;
    std::string text;
    int line;
    std::string key;
    std::string what;
    std::string instead;
    bool every_kind = false;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.label; }

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreReportedWithLineKeyAndASuggestion) {
    const auto& mistake = GetParam();
    const auto found =
        mistake.every_kind ? problems_of(mistake.text, all_kinds) : problems_of(mistake.text, available_kinds);
    ASSERT_EQ(found.size(), 1U) << all_of(found);
    EXPECT_EQ(found[0].file, "test.toml");
    EXPECT_EQ(found[0].line, mistake.line) << print(found[0]);
    EXPECT_EQ(found[0].key, mistake.key) << print(found[0]);
    EXPECT_NE(found[0].what.find(mistake.what), std::string::npos) << print(found[0]);
    EXPECT_NE(found[0].instead.find(mistake.instead), std::string::npos) << print(found[0]);
    EXPECT_EQ(mistake.instead.empty(), found[0].instead.empty()) << print(found[0]);
}

std::string label_of(const testing::TestParamInfo<Mistake>& info) { return info.param.label; }

std::string person(const std::string& lines) { return channels + routes + people + lines; }  // lines from 9
std::string channel(const std::string& lines) { return people + channels + routes + "[channels.x]\n" + lines; }  // 10
std::string route(const std::string& lines) { return people + channels + "[[routes]]\n" + lines; }  // lines from 7
std::string rest(const std::string& lines) { return people + channels + routes + lines; }           // lines from 9
std::string step(const std::string& step_text) {
    return route("deciders = [\"alice\"]\nask = [ " + step_text + " ]\n");  // line 8
}
std::string telegram_step(const std::string& keys) {
    return people + "telegram = 77\n[channels.tg]\nkind = \"telegram\"\ntoken_file = \"/etc/token\"\n[[routes]]\n" +
           "deciders = [\"alice\"]\nask = [ { channel = \"tg\", " + keys + " } ]\n";  // line 10
}
std::string telegram_chat(const std::string& value) { return telegram_step("chat = " + value); }
std::string matched(const std::string& match) { return "[[routes]]\nmatch = " + match + routes.substr(10); }

const Mistake syntax[] = {
    {"NoToml", rest("x = \n"), 9, "", "parsing", ""},
    {"KeyTwice", people + "terminal = 1001\n" + channels + routes, 4, "", "cannot redefine", ""},
    {"TableTwice", rest("[people.alice]\n"), 9, "", "cannot redefine", ""},
    {"NoUtf8", rest("# \xff\n"), 9, "", "utf-8", ""},
    {"UmlautOutsideOfQuotes", rest("[log]\norigin = \"a\" ä\n"), 10, "", "only ASCII", "put it in one pair of quotes"},
    {"UmlautInAKey", rest("ä = 1\n"), 9, "", "only ASCII", "put it in one pair of quotes"},
    {"BraceForBracket", rest("x = [1,}\n"), 9, "", "parsing", ""},
    {"UnendedText", rest("[log]\norigin = \"ä\n"), 10, "", "parsing", ""},
    {"UnendedLongText", rest("[log]\norigin = \"\"\"a\n"), 10, "", "parsing", ""},
    {"UnknownSection", rest("[chanels.x]\n"), 9, "chanels", "unknown key", "did you mean `channels`?"},
    {"NothingNear", rest("[zzzzzz]\n"), 9, "zzzzzz", "unknown key", "known here: people, groups"},
    {"KeyWithEscape", "\"a\\u001b b\" = 1\n" + rest(""), 1, "\"a\x1b b\"", "unknown key", "known here"},
};
INSTANTIATE_TEST_SUITE_P(Syntax, Mistakes, testing::ValuesIn(syntax), label_of);

const Mistake people_mistakes[] = {
    {"TelegramName", person("telegram = \"@alice\"\n"), 9, "people.alice.telegram", "@name", "message.from.id"},
    {"TelegramText", person("telegram = \"77\"\n"), 9, "people.alice.telegram", "not a Telegram user id", "= 77"},
    {"TelegramZero", person("telegram = 0\n"), 9, "people.alice.telegram", "not a Telegram user id", "= 77"},
    {"TelegramGroup", person("telegram = -100\n"), 9, "people.alice.telegram", "not a Telegram user id", "= 77"},
    {"SlackName", person("slack = \"@alice\"\n"), 9, "people.alice.slack", "@name", "Copy member ID"},
    {"SlackWithoutTeam", person("slack = \"U061F7AUR\"\n"), 9, "people.alice.slack", "not a Slack", "T0123/U061F7AUR"},
    {"SlackLower", person("slack = \"T0/u1a\"\n"), 9, "people.alice.slack", "not a Slack", "T0123/U061F7AUR"},
    {"DiscordInteger", person("discord = 539000000000000001\n"), 9, "people.alice.discord", "not a Discord",
     "as a string: discord = \"539000000000000001\""},
    {"DiscordName", person("discord = \"@alice\"\n"), 9, "people.alice.discord", "@name", "Developer Mode"},
    {"DiscordTooLong", person("discord = \"539000000000000001234\"\n"), 9, "people.alice.discord", "not a Discord",
     "in quotes"},
    {"SmsNational", person("sms = \"07700900123\"\n"), 9, "people.alice.sms", "not a phone number", "+447700900123"},
    {"SmsSpaces", person("sms = \"+44 7700 900123\"\n"), 9, "people.alice.sms", "not a phone number", "no spaces"},
    {"TerminalName", people.substr(0, 15) + "terminal = \"alice\"\nroles = [\"approve\"]\n" + channels + routes, 2,
     "people.alice.terminal", "not a user id", "id -u"},
    {"TerminalNegative", people.substr(0, 15) + "terminal = -1\n" + channels + routes, 2, "people.alice.terminal",
     "not a user id", "id -u"},
    {"TerminalNobody", people.substr(0, 15) + "terminal = 4294967295\n" + channels + routes, 2, "people.alice.terminal",
     "not a user id", "id -u"},
    {"TokenItself", person("token = \"ABC.def\"\n"), 9, "people.alice.token", "the name of an access token",
     "not the token itself"},
    {"WhatsappPlus", person("whatsapp = \"+447700900123\"\n"), 9, "people.alice.whatsapp", "not a WhatsApp",
     "without plus"},
    {"SignalNumber", person("signal = \"+447700900123\"\n"), 9, "people.alice.signal", "not a Signal", "sourceUuid"},
    {"UnknownKey", person("telegramm = 77\n"), 9, "people.alice.telegramm", "unknown key", "did you mean `telegram`?"},
    {"UnknownRole", channels + routes + people.substr(0, 31) + "roles = [\"approve\", \"aprove-always\"]\n", 8,
     "people.alice.roles[1]", "no such role", "did you mean `approve-always`?"},
    {"RolesNoList", channels + routes + people.substr(0, 31) + "roles = \"approve\"\n", 8, "people.alice.roles",
     "a string, not a list", "write roles = [\"approve\"]"},
    {"RoleTwice", channels + routes + people.substr(0, 31) + "roles = [\"approve\", \"approve\"]\n", 8,
     "people.alice.roles[1]", "twice", "leave it out"},
    {"AlwaysAlone", channels + routes + people.substr(0, 31) + "roles = [\"approve-always\"]\n", 8,
     "people.alice.roles", "adds to approve", "[\"approve\", \"approve-always\"]"},
    {"Language", person("language = \"Deutsch\"\n"), 9, "people.alice.language", "no cards in this language",
     "languages are: en, de, zh"},
    {"LanguageNearly", person("language = \"zhh\"\n"), 9, "people.alice.language", "no cards in this language",
     "did you mean `zh`?"},
    {"SharedPrincipal", rest("[people.bob]\nterminal = 1000\n"), 10, "people.bob.terminal",
     "terminal:1000 belongs to alice", "leave it out"},
    {"PersonName", rest("[people.Bob]\n"), 9, "people.Bob", "no name of a person", "a-z, 0-9"},
    {"PersonNoTable", rest("[people]\nbob = 1\n"), 10, "people.bob", "an integer, not a table", "[header]"},
    {"NoPeople",
     channels + "[[routes]]\nask=[{channel=\"desk\"}]\ndeciders=[\"@all\"]\n[groups]\nall={exec=[\"/a\"]}\n", 1,
     "people", "no people", "[people.alice]"},
};
INSTANTIATE_TEST_SUITE_P(People, Mistakes, testing::ValuesIn(people_mistakes), label_of);

const Mistake group_mistakes[] = {
    {"UnknownMember", rest("[groups]\nops = [\"alise\"]\n"), 10, "groups.ops[0]", "no such person",
     "did you mean `alice`?"},
    {"EmptyGroup", rest("[groups]\nops = []\n"), 10, "groups.ops", "nobody is in", "ops = [\"alice\"]"},
    {"MemberTwice", rest("[groups]\nops = [\"alice\", \"alice\"]\n"), 10, "groups.ops[1]", "twice", "leave it out"},
    {"GroupInGroup", rest("[groups]\nops = [\"@other\"]\n"), 10, "groups.ops[0]", "no such person", "not groups"},
    {"MemberNoString", rest("[groups]\nops = [7]\n"), 10, "groups.ops[0]", "an integer, not a string", "\"alice\""},
    {"NoListNorCommand", rest("[groups]\nops = \"alice\"\n"), 10, "groups.ops", "a string, not a list", "exec"},
    {"GroupName", rest("[groups]\nOps = [\"alice\"]\n"), 10, "groups.Ops", "no name of a group", "a-z, 0-9"},
    {"RelativeCommand", rest("[groups]\nops = { exec = [\"oncall\"] }\n"), 10, "groups.ops.exec[0]",
     "not an absolute path", "/usr/local/bin/oncall"},
    {"EmptyCommand", rest("[groups]\nops = { exec = [] }\n"), 10, "groups.ops.exec", "no command", "exec = ["},
    {"NoCommand", rest("[groups]\nops = { }\n"), 10, "groups.ops.exec", "no command", "exec = ["},
    {"CommandNoList", rest("[groups]\nops = { exec = \"/bin/oncall\" }\n"), 10, "groups.ops.exec",
     "a string, not a list", "exec = [\"/usr/local/bin/oncall\"]"},
    {"CommandKey", rest("[groups]\nops = { exce = [\"/a\"], exec = [\"/a\"] }\n"), 10, "groups.ops.exce", "unknown key",
     "did you mean `exec`?"},
};
INSTANTIATE_TEST_SUITE_P(Groups, Mistakes, testing::ValuesIn(group_mistakes), label_of);

const Mistake channel_mistakes[] = {
    {"LaterKind", channel("kind = \"signal\"\naccount = \"+447700900123\"\nbase_url = \"http://[::1]\"\n"), 10,
     "channels.x.kind", "kind \"signal\" comes with a later release; this one has: terminal", ""},
    {"UnknownKind", channel("kind = \"terminl\"\n"), 10, "channels.x.kind", "no such kind", "did you mean `terminal`?"},
    {"NoKind", channel("plain = true\n"), 9, "channels.x.kind", "needs a kind", "kind = \"terminal\""},
    {"KindNoString", channel("kind = 1\n"), 10, "channels.x.kind", "an integer, not a string", "kind = \"terminal\""},
    {"PlainNoBoolean", channel("kind = \"terminal\"\nplain = \"yes\"\n"), 11, "channels.x.plain",
     "a string, not a boolean", "write plain = true or false"},
    {"UnknownSetting", channel("kind = \"terminal\"\nplian = true\n"), 11, "channels.x.plian", "unknown key",
     "did you mean `plain`?"},
    {"ChannelName", rest("[channels.\"my desk\"]\nkind = \"terminal\"\n"), 9, "channels.\"my desk\"",
     "no name of a channel", "a-z, 0-9"},
    {"LiteralToken", channel("kind = \"telegram\"\ntoken_file = \"/t\"\ntoken = \"123:abc\"\n"), 12, "channels.x.token",
     "a secret does not belong in this file", "write token_file = \"/etc/countersign/token\", the file mode 0600",
     true},
    {"LiteralBotToken", channel("kind = \"telegram\"\ntoken_file = \"/t\"\nbot_token = \"123:abc\"\n"), 12,
     "channels.x.bot_token", "a secret does not belong", "write token_file", true},
    {"LiteralPassword", channel("kind = \"terminal\"\npassword = \"hunter2\"\n"), 11, "channels.x.password",
     "a secret does not belong", "leave it out"},
    {"LiteralAuthToken",
     channel("kind = \"sms\"\naccount_sid = \"AC1\"\nfrom = \"+447700900123\"\nauth_token_file = \"/a\"\n"
             "auth_token = \"s3cr3t\"\n"),
     14, "channels.x.auth_token", "a secret does not belong", "write auth_token_file", true},
    {"TokenInsteadOfFile", channel("kind = \"telegram\"\ntoken_file = \"123:abc\"\n"), 11, "channels.x.token_file",
     "not an absolute path", "write token_file = \"/etc/countersign/token\"", true},
    {"NeedsToken", channel("kind = \"telegram\"\n"), 9, "channels.x.token_file", "this kind needs it",
     "write token_file = ", true},
    {"NeedsSid", channel("kind = \"sms\"\nfrom = \"+447700900123\"\nauth_token_file = \"/a\"\n"), 9,
     "channels.x.account_sid", "this kind needs it", "write account_sid = ", true},
    {"Mode", channel("kind = \"telegram\"\ntoken_file = \"/t\"\nmode = \"pol\"\n"), 12, "channels.x.mode",
     "no such word", "did you mean `poll`?", true},
    {"PlainHttp", channel("kind = \"telegram\"\ntoken_file = \"/t\"\nbase_url = \"http://example.org\"\n"), 12,
     "channels.x.base_url", "no https address", "http only to 127.0.0.1", true},
    {"UrlWithPassword", channel("kind = \"telegram\"\ntoken_file = \"/t\"\nbase_url = \"https://a:b@example.org\"\n"),
     12, "channels.x.base_url", "no https address", "https://", true},
    {"HttpLookalike", channel("kind = \"telegram\"\ntoken_file = \"/t\"\nbase_url = \"http://127.0.0.1.evil.org\"\n"),
     12, "channels.x.base_url", "no https address", "http only to", true},
    {"PublicKeyShort", channel("kind = \"discord\"\ntoken_file = \"/t\"\npublic_key = \"abcd\"\n"), 12,
     "channels.x.public_key", "no Ed25519 public key", "64 hex digits", true},
    {"PublicKeyZero",
     channel("kind = \"discord\"\ntoken_file = \"/t\"\npublic_key = \"" + std::string(64, '0') + "\"\n"), 12,
     "channels.x.public_key", "no Ed25519 public key", "64 hex digits", true},
    {"ApplicationId", channel("kind = \"discord\"\ntoken_file = \"/t\"\napplication_id = \"abc\"\n"), 12,
     "channels.x.application_id", "no id of digits", "write application_id", true},
    {"FromNumber", channel("kind = \"sms\"\naccount_sid = \"AC1\"\nfrom = \"alice\"\nauth_token_file = \"/a\"\n"), 12,
     "channels.x.from", "no phone number", "+447700900123", true},
    {"NoChannels", people + "[[routes]]\nends = \"deny\"\ndeciders = [\"alice\"]\n", 1, "channels", "no channel",
     "[channels.desk]"},
};
INSTANTIATE_TEST_SUITE_P(Channels, Mistakes, testing::ValuesIn(channel_mistakes), label_of);

const Mistake route_mistakes[] = {
    {"NoRoutes", people + channels, 1, "routes", "no routes", "[[routes]]"},
    {"RoutesNoList", people + channels + "[routes]\n", 6, "routes", "not a list", "[[routes]], with two brackets"},
    {"RouteLanguage", route("ask = [ { channel = \"desk\" } ]\ndeciders = [\"alice\"]\nlanguage = \"fr\"\n"), 9,
     "routes[0].language", "no cards in this language", "languages are: en, de, zh"},
    {"NoDeciders", route("ask = [ { channel = \"desk\" } ]\n"), 6, "routes[0].deciders", "nobody may decide",
     "write deciders = [\"alice\"]"},
    {"EmptyDeciders", route("ask = [ { channel = \"desk\" } ]\ndeciders = []\n"), 8, "routes[0].deciders",
     "nobody may decide", "write deciders = [\"alice\"]"},
    {"UnknownDecider", route("ask = [ { channel = \"desk\" } ]\ndeciders = [\"alcie\"]\n"), 8, "routes[0].deciders[0]",
     "no such person", "did you mean `alice`?"},
    {"UnknownGroup",
     "[groups]\noncall = [\"alice\"]\n" + route("ask = [ { channel = \"desk\" } ]\ndeciders = [\"@oncal\"]\n"), 10,
     "routes[0].deciders[0]", "no such group", "did you mean `oncall`?"},
    {"DeciderTwice", route("ask = [ { channel = \"desk\" } ]\ndeciders = [\"alice\", \"alice\"]\n"), 8,
     "routes[0].deciders[1]", "twice", "leave it out"},
    {"DecidersNoList", route("ask = [ { channel = \"desk\" } ]\ndeciders = \"alice\"\n"), 8, "routes[0].deciders",
     "a string, not a list", "write deciders = [\"alice\"]"},
    {"NoAsk", route("deciders = [\"alice\"]\n"), 6, "routes[0].ask", "nobody is asked", "ask = [ { channel"},
    {"EmptyAsk", route("deciders = [\"alice\"]\nask = []\n"), 8, "routes[0].ask", "nobody is asked", "ask = [ {"},
    {"AskNoList", route("deciders = [\"alice\"]\nask = { channel = \"desk\" }\n"), 8, "routes[0].ask",
     "nobody is asked", "a list of steps"},
    {"StepNoTable", step("\"desk\""), 8, "routes[0].ask[0]", "a string, not a table", "{ … }"},
    {"UnknownChannel", step("{ channel = \"dsek\" }"), 8, "routes[0].ask[0].channel", "no such channel",
     "did you mean `desk`?"},
    {"NoChannel", step("{ after = \"5m\" }"), 8, "routes[0].ask[0].channel", "needs a channel", "channel = \"desk\""},
    {"StepKey", step("{ channel = \"desk\", aftr = \"5m\" }"), 8, "routes[0].ask[0].aftr", "unknown key",
     "did you mean `after`?"},
    {"ChatOnTerminal", step("{ channel = \"desk\", chat = 7 }"), 8, "routes[0].ask[0].chat", "one place", "leave chat"},
    {"TelegramChatName", telegram_chat("\"@ops\""), 10, "routes[0].ask[0].chat",
     "a @name is not a chat's id, and taps come with the id", "write its number, as in chat = -1001234567890"},
    {"TelegramChatTitle", telegram_chat("\"Ops\""), 10, "routes[0].ask[0].chat", "not the id of a Telegram chat",
     "the bot says it to who writes /help there, and `countersign setup telegram` lists its groups"},
    {"TelegramChatZero", telegram_chat("0"), 10, "routes[0].ask[0].chat", "not the id", "write its number"},
    {"TelegramChatPlus", telegram_chat("\"+77\""), 10, "routes[0].ask[0].chat", "not the id", "write its number"},
    {"TelegramChatZeros", telegram_chat("\"-0100\""), 10, "routes[0].ask[0].chat", "not the id", "write its number"},
    {"TelegramChatTooLong", telegram_chat("\"-10012345678901234567\""), 10, "routes[0].ask[0].chat", "not the id",
     "write its number"},
    {"TopicText", telegram_chat("-5, topic = \"deploys\""), 10, "routes[0].ask[0].topic", "a string, not an integer",
     "write a number from 2 to 2147483647"},
    {"TopicZero", telegram_chat("-5, topic = 0"), 10, "routes[0].ask[0].topic", "0 is out of range", "from 2 to"},
    {"TopicGeneral", telegram_chat("-5, topic = 1"), 10, "routes[0].ask[0].topic", "the group's General topic",
     "leave topic out"},
    {"TopicTooLarge", telegram_chat("-5, topic = 2147483648"), 10, "routes[0].ask[0].topic", "out of range",
     "to 2147483647"},
    {"TopicWithoutChat", telegram_step("people = [\"alice\"], topic = 12"), 10, "routes[0].ask[0].topic",
     "a topic is a part of a group", "write the group's chat"},
    {"TopicOnTerminal", step("{ channel = \"desk\", topic = 12 }"), 8, "routes[0].ask[0].topic",
     "a terminal has no topics", "leave topic out"},
    {"NoDuration", step("{ channel = \"desk\", after = \"5 min\" }"), 8, "routes[0].ask[0].after", "no duration",
     "\"5m\"; units are ms, s, m, h and d"},
    {"DurationNumber", step("{ channel = \"desk\", after = 5 }"), 8, "routes[0].ask[0].after",
     "an integer, not a string", "write after = \"5m\""},
    {"NegativeDuration", step("{ channel = \"desk\", after = \"-5m\" }"), 8, "routes[0].ask[0].after", "no duration",
     "\"5m\""},
    {"StepsUnordered", step("{ channel = \"desk\", after = \"5m\" }, { channel = \"desk\" }"), 8,
     "routes[0].ask[1].after", "before the step above", "order the steps"},
    {"StepAfterTimeout",
     route("timeout = \"5m\"\ndeciders = [\"alice\"]\nask = [ { channel = \"desk\" },\n"
           "  { channel = \"desk\", after = \"5m\" } ]\n"),
     10, "routes[0].ask[1].after", "expired", "shorter than timeout"},
    {"EmptyPeople", step("{ channel = \"desk\", people = [] }"), 8, "routes[0].ask[0].people", "sent to nobody",
     "people = [\"alice\"]"},
    {"UnknownPeople", step("{ channel = \"desk\", people = [\"allice\"] }"), 8, "routes[0].ask[0].people[0]",
     "no such person", "did you mean `alice`?"},
    {"GroupAsPeople", step("{ channel = \"desk\", people = [\"@ops\"] }"), 8, "routes[0].ask[0].people[0]",
     "no such person", "not groups"},
    {"PersonWithoutId", "[people.bob]\nroles = [\"approve\"]\n" + step("{ channel = \"desk\", people = [\"bob\"] }"),
     10, "routes[0].ask[0].people[0]", "bob has no id for terminal", "write terminal = … in [people.bob]"},
    {"TimeoutZero", rest("timeout = \"0s\"\n"), 9, "routes[0].timeout", "out of range", "from 1ms to 7d"},
    {"MentionText", rest("mention = \"alice\"\n"), 9, "routes[0].mention", "not a boolean", "true"},
    {"RemindWord", rest("remind = \"often\"\n"), 9, "routes[0].remind", "neither a duration nor \"never\"",
     "write remind = \"15m\", or remind = \"never\""},
    {"RemindNumber", rest("remind = 15\n"), 9, "routes[0].remind", "neither a duration", "remind = \"15m\""},
    {"RemindTooOften", rest("remind = \"59s\"\n"), 9, "routes[0].remind", "out of range", "from 1m to 7d"},
    {"RequiredZero", rest("required = 0\n"), 9, "routes[0].required", "0 is out of range", "from 1 to 16"},
    {"RequiredText", rest("required = \"2\"\n"), 9, "routes[0].required", "a string, not an integer", "without quotes"},
    {"RequiredTypo", rest("requried = 1\n"), 9, "routes[0].requried", "unknown key", "did you mean `required`?"},
    {"NotRequesterText", rest("not_requester = \"yes\"\n"), 9, "routes[0].not_requester", "not a boolean", "true"},
    {"Assurance", rest("assurance = \"chta\"\n"), 9, "routes[0].assurance", "no such word", "did you mean `chat`?"},
    {"AssuranceFar", rest("assurance = \"fingerprint\"\n"), 9, "routes[0].assurance", "no such word",
     "write one of: sms-code, chat, token, passkey"},
    {"Ends", rest("ends = \"allow\"\n"), 9, "routes[0].ends", "no such word", "write one of: deny"},
    {"RouteName", rest("name = \"my route\"\n"), 9, "routes[0].name", "no name", "a-z, 0-9"},
    {"SameName", people + channels + matched("{ agent = \"a\" }") + "name = \"route-2\"\n" + routes, 11,
     "routes[1].name", "another route is called route-2", "another name"},
    {"NoCatchAll", people + channels + matched("{ agent = \"a\" }"), 6, "routes[0].match", "nobody to ask",
     "leave match out of the last route"},
    {"EmptyMatch", people + channels + matched("{ }"), 7, "routes[0].match", "fits everything",
     "leave match out of the last"},
    {"MatchKey", people + channels + matched("{ agnt = \"a\", tool = \"Bash\" }") + routes, 7, "routes[0].match.agnt",
     "unknown key", "did you mean `agent`?"},
    {"MatchRisk", people + channels + matched("{ risk = \"hgih\" }") + routes, 7, "routes[0].match.risk",
     "no such word", "did you mean `high`?"},
    {"MatchRuntime", people + channels + matched("{ runtime = \"cladue\" }") + routes, 7, "routes[0].match.runtime",
     "no runtime fits", "did you mean `claude`?"},
    {"MatchEmptyText", people + channels + matched("{ agent = \"\", tool = \"Bash\" }") + routes, 7,
     "routes[0].match.agent", "this is empty", "leave it out"},
    {"AfterTheCatchAll", rest(matched("{ agent = \"a\" }")), 9, "routes[1]", "no request gets here: routes[0]",
     "move it before routes[0]"},
    {"TwoCatchAlls", rest(routes), 9, "routes[1]", "no request gets here", "move it before"},
    {"SameMatch", people + channels + matched("{ agent = \"a\" }") + matched("{ agent = \"a\" }") + routes, 10,
     "routes[1]", "routes[0] takes all", "move it before routes[0]"},
    {"NarrowerMatch",
     people + channels + matched("{ agent = \"prod-*\" }") + matched("{ agent = \"prod-eu-*\", risk = \"high\" }") +
         routes,
     10, "routes[1]", "routes[0] takes all", "move it before routes[0]"},
    {"StarTakesTheCatchAll", people + channels + matched("{ agent = \"*\" }") + routes, 10, "routes[1]",
     "routes[0] takes all", "leave it out"},
};
INSTANTIATE_TEST_SUITE_P(Routes, Mistakes, testing::ValuesIn(route_mistakes), label_of);

std::string denied(const std::string& lines) {
    return rest("[[policy]]\neffect = \"deny\"\n" + lines);
}  // lines from 11
std::string allowed(const std::string& lines) { return rest("[[policy]]\neffect = \"allow\"\n" + lines); }  // likewise
std::string rated(const std::string& lines) { return rest("[[risk]]\nlevel = \"low\"\n" + lines); }         // likewise

// One pattern that matches nothing, in a rule that denies, and a part of the suggestion.
Mistake pattern_mistake(std::string label, const std::string& key, const std::string& pattern, std::string instead) {
    return {.label = std::move(label),
            .text = denied(key + " = '''" + pattern + "'''\n"),
            .line = 11,
            .key = "policy[0]." + key,
            .what = "",
            .instead = std::move(instead)};
}

const Mistake pattern_mistakes[] = {
    pattern_mistake("HostScheme", "host", "https://evil.io", R"(write host = "evil.io")"),
    pattern_mistake("HostAnyScheme", "host", "*://evil.io/*", R"(write host = "evil.io")"),
    pattern_mistake("HostPath", "host", "*.evil.io/*", R"(write host = "*.evil.io")"),
    pattern_mistake("HostPort", "host", "evil.io:443", R"(write host = "evil.io")"),
    pattern_mistake("HostAnyPort", "host", "localhost:*", R"(write host = "localhost")"),
    pattern_mistake("HostFinalDot", "host", "Evil.io.", R"(write host = "evil.io")"),
    pattern_mistake("HostFirstDot", "host", ".evil.io", R"(write host = "*.evil.io")"),
    pattern_mistake("HostUser", "host", "bob@evil.io", R"(write host = "evil.io")"),
    pattern_mistake("HostAll", "host", "https://bob:x@evil.io:443/x", R"(write host = "evil.io")"),
    pattern_mistake("HostAlternatives", "host", "a.io|b.io", "write a rule for each host"),
    pattern_mistake("HostList", "host", "a.io, b.io", "write a rule for each host"),
    pattern_mistake("HostBraces", "host", "{a,b}.io", "write a rule for each host"),
    pattern_mistake("HostUmlaut", "host", "münchen.de", R"(write host = "xn--mnchen-3ya.de")"),
    pattern_mistake("HostUmlautWithAStar", "host", "*.münchen.de", "xn--"),
    pattern_mistake("HostSharpS", "host", "straße.de", "as it is registered"),
    pattern_mistake("HostNetwork", "host", "10.0.0.0/8", "wildcards"),
    pattern_mistake("HostIpv6", "host", "2001:db8::1", R"(write host = "[2001:db8::1]")"),
    pattern_mistake("HostIpv6Port", "host", "[2001:db8::1]:443", R"(write host = "[2001:db8::1]")"),
    pattern_mistake("HostIpv6Spelling", "host", "[2001:0DB8:0::1]", R"(write host = "[2001:db8::1]")"),
    pattern_mistake("HostNone", "host", "https://", "write the host alone"),
    pattern_mistake("HostEmptyLabel", "host", "a..b", "write the host alone"),
    pattern_mistake("CommandQuotes", "command", R"("git" push *)", R"(write command = "git push *")"),
    pattern_mistake("CommandQuotedBlank", "command", "git commit -m 'fix it'",
                    R"(write command = "git commit -m fix?it")"),
    pattern_mistake("CommandOneQuote", "command", "echo don't", "a quote within a word is written ?"),
    pattern_mistake("CommandAssignment", "command", "FOO=1 BAR=2 make *", R"(write command = "make *")"),
    pattern_mistake("CommandAssignmentAlone", "command", "FOO=*", "leave the rule out"),
    pattern_mistake("CommandOfATool", "command", "Bash(rm *)", R"(write tool = "Bash" and command = "rm *")"),
    pattern_mistake("CommandPrefixOfATool", "command", "Bash(git push:*)", R"(command = "git push *")"),
    pattern_mistake("CommandAlternatives", "command", "rm *|mv *", "a rule for each command"),
    pattern_mistake("CommandVariable", "command", "cat $HOME/*", "~/ for the home"),
    pattern_mistake("CommandSubstitution", "command", "kill $(pidof x)", "~/ for the home"),
    pattern_mistake("CommandReserved", "command", "if *", "begin with the name of a program"),
    pattern_mistake("CommandUmlaut", "command", "löschen *", "begin with the name of a program"),
    pattern_mistake("CommandLines", "command", "make\nls", "a rule for each command"),
    pattern_mistake("PathVariable", "path", "$HOME/.ssh/*",
                    R"(write path = "~/.ssh/*"; a file of that name is ./$HOME)"),
    pattern_mistake("PathVariableInBraces", "path", "${PWD}/x", R"(write path = "x")"),
    pattern_mistake("PathOtherVariable", "path", "$id/*", "a file of that name is ./$id/*"),
    pattern_mistake("PathOfAnotherUser", "path", "~bob/*", R"(path = "/home/bob/*"; a file of that name is ./~bob/*)"),
    pattern_mistake("PathAlternatives", "path", "*.env|*.pem", "a | in the name of a file is written ?"),
    pattern_mistake("PathBraces", "path", "*.{env,pem}", "a { in the name of a file is written ?"),
    pattern_mistake("PathList", "path", "*.env, *.pem", "a comma in the name of a file is written ?"),
    pattern_mistake("PathOfATool", "path", "Read(docs/*)", R"(write tool = "Read" and path = "docs/*")"),
    pattern_mistake("PathScheme", "path", "file:///etc/*", R"(write path = "/etc/*")"),
    pattern_mistake("PathUrl", "path", "https://evil.io/*", R"(write host = "evil.io")"),
    pattern_mistake("PathFinalSlash", "path", "/etc/", R"(write path = "/etc/*")"),
    pattern_mistake("PathTwoSlashes", "path", "/srv//x", R"(write path = "/srv/x")"),
    pattern_mistake("PathDots", "path", "/srv/../etc/x", R"(write path = "/etc/x")"),
    {"CommandOfARead", denied("tool = \"Read\"\ncommand = \"rm *\"\n"), 12, "policy[0].command", "Read runs no command",
     "leave command or tool out"},
    {"CommandOfAnyRead", denied("tool = [\"Bash\", \"read_file\"]\ncommand = \"rm *\"\n"), 12, "policy[0].command",
     "read_file runs no command", "leave command or tool out"},
    {"PathOfAFetch", denied("tool = \"WebFetch\"\npath = \"/etc/*\"\n"), 12, "policy[0].path", "WebFetch has no path",
     "write host ="},
    {"HostOfAnEdit", denied("tool = \"Edit\"\nhost = \"evil.io\"\n"), 12, "policy[0].host", "Edit has no host",
     "leave host or tool out"},
    {"AllowABashByItsHost", allowed("tool = \"Bash\"\nhost = \"*.example.org\"\n"), 12, "policy[0].host",
     "Bash runs commands", "write command ="},
    {"AllowABashByItsPath", allowed("tool = \"Bash\"\npath = \"docs/*\"\n"), 12, "policy[0].path", "Bash runs commands",
     "write command ="},
    {"AllowACommandByItsPath", allowed("command = \"cat *\"\npath = \"docs/*\"\n"), 12, "policy[0].path",
     "no rule eases a command", "write the path in command"},
    {"AllowAPowerShell", allowed("tool = \"PowerShell\"\ncommand = \"ls *\"\n"), 12, "policy[0].command",
     "a grammar of its own", "leave the rule out"},
    {"AllowAnAddressInHex", allowed("host = \"0x7f.1\"\n"), 11, "policy[0].host", "usual spelling",
     R"(write host = "127.0.0.1")"},
    {"RiskHost", rated("host = \"https://a.io\"\n"), 11, "risk[0].host", "no host is written", R"(host = "a.io")"},
    {"RiskPath", rated("path = \"$HOME/*\"\n"), 11, "risk[0].path", "without variables", R"(path = "~/*")"},
    {"RiskCommand", rated("command = \"A=1 ls\"\n"), 11, "risk[0].command", "never fits", R"(command = "ls")"},
    {"RiskOfAFetchByItsPath", rated("tool = \"WebFetch\"\npath = \"a/*\"\n"), 12, "risk[0].path", "no path",
     "write host ="},
    {"RouteTool", matched("{ tool = \"Read|Grep\" }") + routes + people + channels, 2, "routes[0].match.tool",
     "no tool is called Read|Grep", "a route for each"},
};
INSTANTIATE_TEST_SUITE_P(Patterns, Mistakes, testing::ValuesIn(pattern_mistakes), label_of);

// Each could match some call, so none of them is refused.
TEST(ConfigProblem, APatternThatCouldMatchIsNoMistake) {
    for (const std::string lines : {"host = 'evil.io'",
                                    "host = '*.Evil.IO'",
                                    "host = '*'",
                                    "host = '10.*'",
                                    "host = 'x_y.lan'",
                                    "host = '[2001:db8::1]'",
                                    "host = '[2001:db8:*'",
                                    "host = '*::1]'",
                                    "host = 'xn--mnchen-3ya.de'",
                                    "host = '0x7f.1'",
                                    "host = 'local?ost'",
                                    "host = 'localhost'",
                                    "command = 'git push --force*'",
                                    "command = 'find . ( *'",
                                    "command = 'find . -name *.{c,h}'",
                                    "command = 'make CC=gcc *'",
                                    "command = '* --force'",
                                    "command = 'cp a[1] *'",
                                    "command = 'grep foo$ *'",
                                    "command = 'C:x'",
                                    "command = './run(1).sh *'",
                                    "path = '~/.ssh/*'",
                                    "path = '~'",
                                    "path = './$HOME/x'",
                                    "path = './~bob/x'",
                                    "path = 'app/routes/$id/*'",
                                    "path = 'app/[id]/*'",
                                    "path = '{{name}}/*'",
                                    "path = 'Smith, John.txt'",
                                    "path = '/'",
                                    "path = '**/x'",
                                    "path = '../x'",
                                    "path = 'docs/'",
                                    "path = '*.env'",
                                    "path = 'ä/*'",
                                    "path = './Read(1)'",
                                    "tool = 'Read'\nhost = 'a.io'",
                                    "tool = 'Bash'\nhost = 'a.io'\npath = '/etc/*'",
                                    "tool = 'Bash'\ncommand = 'rm *'\npath = '/etc/*'",
                                    "tool = 'PowerShell'\ncommand = 'rm *'",
                                    "tool = 'mcp__x__y'\ncommand = 'rm *'\npath = '/etc/*'\nhost = 'a.io'",
                                    "tool = 'Web*'\npath = '/etc/*'",
                                    "tool = ['Read', 'Bash']\npath = '*.env'"}) {
        const auto found = problems_of(denied(lines + "\n"));
        EXPECT_TRUE(found.empty()) << lines << "\n" << all_of(found);
    }
}

const Mistake rule_mistakes[] = {
    {"PolicyNoEffect", rest("[[policy]]\ntool = \"Bash\"\n"), 9, "policy[0].effect", "needs an effect", "effect ="},
    {"PolicyEffect", rest("[[policy]]\neffect = \"alow\"\ntool = \"Bash\"\n"), 10, "policy[0].effect", "no such word",
     "did you mean `allow`?"},
    {"AllowAll", rest("[[policy]]\neffect = \"allow\"\n"), 10, "policy[0].effect", "allow everything", "tool, command"},
    {"AllowAllOfAnAgent", rest("[[policy]]\neffect = \"allow\"\nagent = \"ci\"\n"), 10, "policy[0].effect",
     "allow everything", "tool, command"},
    {"AllowStar", rest("[[policy]]\neffect = \"allow\"\ntool = \"*\"\npath = \"**\"\n"), 10, "policy[0].effect",
     "allow everything", "tool, command"},
    {"PolicyKey", rest("[[policy]]\neffect = \"deny\"\ncomand = \"rm *\"\n"), 11, "policy[0].comand", "unknown key",
     "did you mean `command`?"},
    {"PolicyNameTwice", rest("[[policy]]\nname=\"a\"\neffect=\"ask\"\n[[policy]]\nname=\"a\"\neffect=\"ask\"\n"), 13,
     "policy[1].name", "another rule is called a", "another name"},
    {"PolicyEmptyTool", rest("[[policy]]\neffect = \"deny\"\ntool = \"\"\n"), 11, "policy[0].tool", "empty",
     "leave it"},
    {"PolicyNoList", rest("[policy]\neffect = \"ask\"\n"), 9, "policy", "not a list", "[[policy]]"},
    {"ToolAlternatives", rest("[[policy]]\neffect = \"allow\"\ntool = \"Read|Grep\"\n"), 11, "policy[0].tool",
     "no tool is called Read|Grep", R"(tool = ["Read", "Grep"])"},
    {"ToolsWithCommas", rest("[[policy]]\neffect = \"deny\"\ntool = \"Read, Grep\"\n"), 11, "policy[0].tool",
     "no tool is called", R"(tool = ["Read", "Grep"])"},
    {"ToolWithItsCommand", rest("[[policy]]\neffect = \"deny\"\ntool = \"Bash(git *)\"\n"), 11, "policy[0].tool",
     "no tool is called", R"(tool = "Bash", and command)"},
    {"ToolEmptyList", rest("[[policy]]\neffect = \"deny\"\ntool = []\n"), 11, "policy[0].tool", "an empty list",
     "tool = \"Bash\""},
    {"AllowAListWithAStar", rest("[[policy]]\neffect = \"allow\"\ntool = [\"Read\", \"*\"]\n"), 10, "policy[0].effect",
     "allow everything", "tool, command"},
    {"PolicyRisk", rest("[[policy]]\neffect = \"deny\"\nrisk = \"hihg\"\n"), 11, "policy[0].risk", "no such word",
     "`high`"},
    {"AllowHigh", rest("[[policy]]\neffect = \"allow\"\nrisk = \"high\"\n"), 10, "policy[0].effect", "allow everything",
     "risk = \"low\""},
    {"PolicyRiskRule", rest("[[policy]]\neffect = \"deny\"\nrisk_rule = \"secret paths\"\n"), 11, "policy[0].risk_rule",
     "no risk rule is called secret paths", "`secret path`"},
    {"AllowAnUnparsedCommand", rest("[[policy]]\neffect = \"allow\"\nrisk_rule = \"unparsed command\"\n"), 11,
     "policy[0].risk_rule", "no rule allows", "effect = \"ask\""},
    {"RiskRuleOfAnotherLevel", rest("[[policy]]\neffect = \"deny\"\nrisk = \"low\"\nrisk_rule = \"secret path\"\n"), 12,
     "policy[0].risk_rule", "is never low", "leave risk out"},
    {"CommandList", rest("[[policy]]\neffect = \"allow\"\ncommand = \"ls | head\"\n"), 11, "policy[0].command",
     "| never fits", "a rule for each command"},
    {"CommandWrapper", rest("[[policy]]\neffect = \"deny\"\ncommand = \"sudo *\"\n"), 11, "policy[0].command",
     "sudo never fits", "leave the rule out"},
    {"CommandOption", rest("[[policy]]\neffect = \"allow\"\ncommand = \"sort -o *\"\n"), 11, "policy[0].command",
     "no rule allows -o", "leave the option out"},
    {"RiskNoLevel", rest("[[risk]]\ntool = \"Bash\"\n"), 9, "risk[0].level", "needs a level", "level ="},
    {"RiskLevel", rest("[[risk]]\ntool = \"Bash\"\nlevel = \"lo\"\n"), 11, "risk[0].level", "no such word", "`low`"},
    {"RiskAllLow", rest("[[risk]]\nlevel = \"low\"\n"), 10, "risk[0].level", "every call low", "tool, command"},
    {"RiskKey", rest("[[risk]]\nlevel = \"high\"\nagent = \"x\"\n"), 11, "risk[0].agent", "unknown key", "known here"},
    {"AlwaysRuntime", rest("[always]\nclade = \"native\"\n"), 10, "always.clade", "unknown key", "`claude`"},
    {"AlwaysMode", rest("[always]\nclaude = \"nativ\"\n"), 10, "always.claude", "no such word", "`native`"},
    {"LogOriginSpace", rest("[log]\norigin = \"my log\"\n"), 10, "log.origin", "without space", "origin ="},
    {"LogOriginPlus", rest("[log]\norigin = \"a+b\"\n"), 10, "log.origin", "plus", "origin ="},
    {"LogOriginEmpty", rest("[log]\norigin = \"\"\n"), 10, "log.origin", "empty", "origin ="},
    {"LogKey", rest("[log]\norgin = \"a\"\n"), 10, "log.orgin", "unknown key", "did you mean `origin`?"},
    {"LogNoTable", "log = 1\n" + rest(""), 1, "log", "an integer, not a table", "[header]"},
    {"NoTime", rest("[log]\norigin = 1979-05-27\n"), 10, "log.origin", "a time, not a string", "origin ="},
};
INSTANTIATE_TEST_SUITE_P(Rules, Mistakes, testing::ValuesIn(rule_mistakes), label_of);

TEST(ConfigProblem, IsPrintedAsFileLineColumnKeyMessageAndSuggestion) {
    const auto found = problems_of(route("ask = [ { channel = \"desk\" } ]\n  deciders = []\n"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(print(found[0]), "test.toml:8:14: routes[0].deciders: nobody may decide; write deciders = [\"alice\"]");
}

TEST(ConfigProblem, NeverSendsControlCharactersToTheTerminal) {
    const auto found = problems_of("\"\\u001b[2J\\u202e\\u009b\" = 1\n" + rest(""));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(print(found[0]).find('\x1b'), std::string::npos);
    EXPECT_NE(print(found[0]).find("\\x1b[2J\\xe2\\x80\\xae\\xc2\\x9b"), std::string::npos) << print(found[0]);
}

TEST(ConfigProblem, NeverRepeatsASecretFromTheFile) {
    const auto text = channel("kind = \"telegram\"\ntoken_file = \"123:Very-Secret\"\ntoken = \"123:Very-Secret\"\n"
                              "webhook_secret_file = \"Very-Secret\"\nPASSWORD_secret = \"Very-Secret\"\n");
    const auto found = problems_of(text, all_kinds);
    EXPECT_EQ(found.size(), 4U) << all_of(found);
    EXPECT_EQ(all_of(found).find("Very-Secret"), std::string::npos) << all_of(found);
}

TEST(ConfigProblem, AllProblemsAreReportedAtOnceInTheOrderOfTheFile) {
    const auto found = problems_of("[log]\norigin = \"a b\"\n[people.alice]\ntelegram = \"@alice\"\nnick = 1\n"
                                   "[channels.desk]\nkind = \"terminl\"\n[[routes]]\ndeciders = [\"bob\"]\n");
    std::vector<int> lines;
    for (const auto& problem : found) lines.push_back(problem.line);
    EXPECT_EQ(lines, (std::vector{2, 4, 5, 7, 8, 9})) << all_of(found);
}

}  // namespace
}  // namespace countersign::app
