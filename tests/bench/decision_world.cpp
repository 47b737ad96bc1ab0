// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/decision_world.hpp"

#include "channels/telegram/bounds.hpp"
#include "tests/bench/decision_agent.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace countersign::bench {

namespace asio = boost::asio;
using Json = nlohmann::json;

namespace {

constexpr std::string_view secret = "a-secret-for-the-webhook-0123456789";
constexpr std::size_t bots = 8;
constexpr std::int64_t first_bot = 123'456'000;
constexpr auto patience = std::chrono::seconds{60};

void write_private(const std::string& path, const std::string& text) {
    std::ofstream{path} << text;
    if (::chmod(path.c_str(), 0600) != 0) give_up("cannot write " + path);
}

std::string bot_token(std::size_t bot) {
    return std::to_string(first_bot + static_cast<std::int64_t>(bot)) + ":AAFakeTokenOfTheBenchmarkAlone";
}

void rethrow(const std::exception_ptr& failed) {
    if (failed) std::rethrow_exception(failed);
}

std::string card_key(std::int64_t message) { return "card " + std::to_string(message); }

int user_id(std::size_t person) { return 1'000 + static_cast<int>(person); }

std::string name_of(std::size_t person) { return "person-" + std::to_string(person); }

std::string bot_of(std::size_t person) { return "bot-" + std::to_string(person % bots); }

Json chat_of(std::int64_t user) { return {{"id", user}, {"type", "private"}, {"first_name", "Alice"}}; }

std::string bot_settings(std::size_t bot, const std::string& directory, const std::string& base_url) {
    return "[channels." + bot_of(bot) + "]\nkind = \"telegram\"\ntoken_file = \"" + directory + "/token-" +
           std::to_string(bot) + "\"\nbase_url = \"" + base_url + "\"\nmode = \"webhook\"\nwebhook_secret_file = \"" +
           directory + "/secret\"\n\n";
}

// A call of the tool `tool-N` is shown to person N, in the chat with that person's own bot.
std::string settings(const std::string& directory, const std::string& base_url) {
    std::string people;
    std::string channels;
    std::string routes;
    for (std::size_t bot = 0; bot < bots; ++bot) channels += bot_settings(bot, directory, base_url);
    for (std::size_t person = 0; person < decision_people; ++person) {
        const auto name = name_of(person);
        people +=
            "[people." + name + "]\ntelegram = " + std::to_string(user_id(person)) + "\nroles = [\"approve\"]\n\n";
        routes += "[[routes]]\n";
        if (person + 1 < decision_people) routes += "match = { tool = \"" + tool_of(person) + "\" }\n";
        routes += "ask = [ { channel = \"" + bot_of(person) + "\", people = [\"" + name + "\"] } ]\ndeciders = [\"" +
                  name + "\"]\n\n";
    }
    const std::string limits = "[limits]\nasks_per_minute = 1000000\nask_kilobytes_per_minute = 1048576\n\n";
    return people + channels + limits + "[gateway]\nlisten = \"127.0.0.1:0\"\nadmin = \"127.0.0.1:0\"\n\n" + routes;
}

}  // namespace

void give_up(const std::string& why) {
    std::fprintf(stderr, "decision_bench: %s\n", why.c_str());
    std::exit(1);
}

Program::Program(const std::string& binary, const std::vector<std::string>& arguments, std::string output)
    : output_{std::move(output)} {
    std::vector<std::string> all{binary};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& argument : all) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) give_up("cannot fork");
    if (pid_ > 0) return;
    const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int out = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

Program::~Program() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
}

std::string Program::said() const {
    std::ifstream file{output_};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::uint16_t> Program::ports(std::size_t count) const {
    std::vector<std::uint16_t> found;
    std::istringstream lines{said()};
    for (std::string line; std::getline(lines, line) && found.size() < count;) {
        if (!line.starts_with("listening on ")) continue;
        found.push_back(static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(' ') + 1))));
    }
    return found;
}

std::size_t Program::resident_kib() const {
    std::ifstream status{"/proc/" + std::to_string(pid_) + "/status"};
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
    }
    return 0;
}

DecisionWorld::DecisionWorld(const std::string& directory)
    : directory_{directory}, acceptor_{io_, asio::local::stream_protocol::endpoint{agent_socket()}} {
    api_->answer = [this](const testing_tools::Seen& seen) { return answer(seen); };
    write_private(directory_ + "/secret", std::string{secret});
    for (std::size_t bot = 0; bot < bots; ++bot)
        write_private(directory_ + "/token-" + std::to_string(bot), bot_token(bot));
    write_private(config_file(), settings(directory_, "http://127.0.0.1:" + std::to_string(api_.port())));
}

void DecisionWorld::run_until(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    io_.restart();
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) give_up("nothing happened for a minute");
        io_.run_one_for(std::chrono::milliseconds{50});
    }
}

void DecisionWorld::accept_agent() {
    bool there = false;
    acceptor_.async_accept(agent_, [&](const boost::system::error_code& failed) {
        if (failed) give_up("the agent does not come: " + failed.message());
        there = true;
    });
    run_until([&] { return there; });
    asio::co_spawn(io_, listen_to_agent(), rethrow);
}

asio::awaitable<void> DecisionWorld::listen_to_agent() {
    std::string buffer;
    for (;;) {
        boost::system::error_code failed;
        const auto size = co_await asio::async_read_until(agent_, asio::dynamic_buffer(buffer), '\n',
                                                          asio::redirect_error(asio::use_awaitable, failed));
        if (failed) co_return;
        const auto id = buffer.substr(0, buffer.find(' '));
        arrived(id, std::chrono::nanoseconds{std::stoll(buffer.substr(id.size() + 1, size - id.size() - 2))});
        buffer.erase(0, size);
    }
}

void DecisionWorld::arrived(const std::string& key, std::chrono::nanoseconds at) {
    arrived_[key] = at;
    if (const auto found = waiting_.find(key); found != waiting_.end()) found->second->cancel();
}

// A minimal Telegram: it accepts everything.
testing_tools::Reply DecisionWorld::answer(const testing_tools::Seen& seen) {
    const auto path = seen.line.substr(0, seen.line.rfind(' '));
    const auto method = path.substr(path.rfind('/') + 1);
    const auto bot = std::stoll(path.substr(path.find("/bot") + 4)) - first_bot;
    Json result = true;
    if (method == "getMe") result = {{"id", first_bot + bot}, {"is_bot", true}, {"username", "countersign_bot"}};
    if (method == "sendMessage") {
        const auto body = Json::parse(seen.body);
        const std::int64_t chat = body["chat_id"];
        result = {{"message_id", ++last_message_}, {"date", 1}, {"chat", chat_of(chat)}};
        for (const auto& row : body["reply_markup"]["inline_keyboard"]) {
            for (const auto& button : row) {
                if (button["text"] != "Allow") continue;
                const std::string data = button["callback_data"];
                shown_.push_back({.approval_id = data.substr(2, 26),
                                  .channel = bot_of(static_cast<std::size_t>(bot)),
                                  .chat = chat,
                                  .message = last_message_,
                                  .data = data});
            }
        }
    }
    if (method == "editMessageText") arrived(card_key(Json::parse(seen.body)["message_id"]), now());
    api_->seen.clear();
    return {testing_tools::http(200, Json{{"ok", true}, {"result", result}}.dump())};
}

void DecisionWorld::ask() {
    const auto order = "ask " + std::to_string(decisions_a_round) + "\n";
    asio::write(agent_, asio::buffer(order));
    run_until([&] { return shown_.size() == decisions_a_round; });
    // Waits until background records are written and the bots' rate limits have recovered, so that a round measures
    // decisions alone.
    bool rested = false;
    asio::steady_timer rest{io_,
                            limits::telegram_chat_interval * limits::telegram_chat_burst + std::chrono::seconds{1}};
    rest.async_wait([&](const boost::system::error_code&) { rested = true; });
    run_until([&] { return rested; });
}

std::string DecisionWorld::webhook(const Tap& tap) {
    const auto from = Json{{"id", tap.chat}, {"is_bot", false}, {"first_name", "Alice"}};
    const auto message = Json{{"message_id", tap.message}, {"date", 1}, {"chat", chat_of(tap.chat)}, {"text", "card"}};
    const auto body = Json{{"update_id", ++last_update_},
                           {"callback_query",
                            {{"id", std::to_string(last_update_)},
                             {"from", from},
                             {"message", message},
                             {"chat_instance", "1"},
                             {"data", tap.data}}}}
                          .dump();
    return "POST /webhooks/telegram/" + tap.channel +
           " HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
           "X-Telegram-Bot-Api-Secret-Token: " +
           std::string{secret} + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

asio::awaitable<std::chrono::nanoseconds> DecisionWorld::arrival_of(std::string key) {
    if (!arrived_.contains(key)) {
        asio::steady_timer arrival{io_, patience};
        waiting_[key] = &arrival;
        boost::system::error_code cancelled;
        co_await arrival.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
        waiting_.erase(key);
        if (!cancelled) give_up("a decision did not reach the agent, or its card was not edited");
    }
    co_return arrived_[key];
}

asio::awaitable<void> DecisionWorld::tap_one_after_another(std::uint16_t port,
                                                           std::vector<std::chrono::nanoseconds>& took,
                                                           const std::function<void()>& between) {
    using asio::ip::tcp;
    tcp::socket socket{io_};
    co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
    socket.set_option(tcp::no_delay{true});
    std::string answered;
    while (!shown_.empty()) {
        const auto tap = std::move(shown_.front());
        shown_.pop_front();
        const auto request = webhook(tap);
        const auto start = now();
        co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
        const auto size =
            co_await asio::async_read_until(socket, asio::dynamic_buffer(answered), "\r\n\r\n", asio::use_awaitable);
        if (!answered.starts_with("HTTP/1.1 200")) give_up("a webhook was refused: " + answered.substr(0, size));
        answered.erase(0, size);  // an acknowledgement without a body
        took.push_back(co_await arrival_of(tap.approval_id) - start);
        if (!between) continue;
        co_await arrival_of(card_key(tap.message));
        between();
    }
    --running_;
}

std::vector<std::chrono::nanoseconds> DecisionWorld::tap_all(std::uint16_t port, std::size_t clients,
                                                             const std::function<void()>& between) {
    std::vector<std::chrono::nanoseconds> took;
    running_ = clients;
    for (std::size_t i = 0; i < clients; ++i) asio::co_spawn(io_, tap_one_after_another(port, took, between), rethrow);
    run_until([&] { return running_ == 0; });
    return took;
}

}  // namespace countersign::bench
