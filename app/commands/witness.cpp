// SPDX-License-Identifier: Apache-2.0
// `witness`: a second party that looks after the logs of others. Its own process, key and place; best on another machine.
#include "audit/witness.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/system_clock.hpp"
#include "audit/state_directory.hpp"
#include "core/limits.hpp"
#include "gateway/server.hpp"
#include "security/display.hpp"
#include "security/ed25519.hpp"
#include "security/key_file.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

struct WitnessOptions {
    std::string listen;
    std::string key_file;
    std::string name;
    std::string state;
    std::vector<std::string> logs;
};

// The name in what was sent, which is somebody's word until it was checked.
std::string log_of(std::string_view body) {
    const auto text = body.substr(std::min(body.find("\n\n") + 2, body.size()));
    return security::display(text.substr(0, std::min(text.find('\n'), limits::origin_bytes_max)),
                             security::DisplayMode::line);
}

// On the one thread, the disk included: requests are answered one after the other.
class AddCheckpoint final : public Inbound {
public:
    AddCheckpoint(audit::Witness& witness, const Clock& clock) : witness_{witness}, clock_{clock} {}  // borrows
    asio::awaitable<Reply> handle(InboundMessage message) override {
        const auto now = std::chrono::floor<std::chrono::seconds>(clock_.wall().time_since_epoch());
        auto answer = witness_.add_checkpoint(message.body, static_cast<std::uint64_t>(now.count()));
        if (answer.status >= 400) tell("refused {}: {}", log_of(message.body), answer.body);
        co_return Reply{
            .status = answer.status, .content_type = std::move(answer.content_type), .body = std::move(answer.body)};
    }

private:
    audit::Witness& witness_;
    const Clock& clock_;
};

Result<audit::Witness> open_witness(const WitnessOptions& options, const audit::StateDirectory& held) {
    const auto seed = security::load_or_create_key(options.key_file);
    if (!seed) return seed.error();
    auto key = security::Ed25519SigningKey::from_seed(*seed);
    if (!key) return key.error();
    auto signer = audit::NoteSigner::make(options.name, std::move(*key), audit::NoteAlgorithm::witness);
    if (!signer) return signer.error();
    std::vector<audit::NoteKey> logs;
    for (const auto& text : options.logs) {
        const auto log = log_keys_given("--log", text);
        if (!log) return log.error();
        logs.insert(logs.end(), log->all().begin(), log->all().end());
    }
    return audit::Witness::open(audit::posix_file_system(), held.path(), std::move(*signer), std::move(logs),
                                [&held] { return held.still_there(); });
}

Result<gateway::ServerOptions> address_of(const std::string& listen) {
    const auto colon = listen.rfind(':');
    const auto port = colon == std::string::npos ? std::string{} : listen.substr(colon + 1);
    const bool whole = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
    if (!whole || std::stoul(port) > 65'535) {
        return Error{Errc::bad_config, "--listen is an address and a port, like 127.0.0.1:8090"};
    }
    return gateway::ServerOptions{.address = listen.substr(0, colon),
                                  .port = static_cast<std::uint16_t>(std::stoul(port))};
}

asio::awaitable<void> serve(gateway::Server& server, asio::io_context& io) {
    TaskGroup serving{io.get_executor(), [](const std::string& what) { tell("a task failed: {}\n", what); }};
    serving.spawn(server.run());
    asio::signal_set signals{io, SIGINT, SIGTERM, SIGHUP};
    co_await signals.async_wait(asio::use_awaitable);
    co_await server.drain();
    co_await serving.join();
}

int witness(const WitnessOptions& options) {
    keep_memory_private();
    const auto address = address_of(options.listen);
    if (!address) return report(address.error());
    if (const auto hub = audit::posix_file_system().exists(options.state + "/" + audit::log_directory); !hub || *hub) {
        return report({Errc::bad_config, options.state + " is a hub's; give the witness a directory of its own"});
    }
    const auto held = audit::StateDirectory::open(options.state);
    if (!held) return report(held.error());
    auto opened = open_witness(options, *held);
    if (!opened) return report(opened.error());
    asio::io_context io{1};
    SystemClock clock;
    AddCheckpoint add_checkpoint{*opened, clock};
    // A late answer is no cosignature: the log asks again, and gets it at once.
    auto server =
        gateway::Server::open(io.get_executor(), *address,
                              {{.method = "POST",
                                .path = "/add-checkpoint",
                                .name = "add-checkpoint",
                                .body_bytes_max = limits::witness_request_bytes_max,
                                .handler = &add_checkpoint,
                                .deferred = {.status = 503, .content_type = {}, .body = {}},
                                .counts_refusals = true}},
                              {.clock = clock,
                               .access = [](const std::string& line) { tell("{}\n", line); },
                               .stray = [](const std::string& what) { tell("a request failed: {}\n", what); }});
    if (!server) return report(server.error());
    show("{}\n", opened->key().vkey());
    tell("listening on {} port {}\n", address->address, (*server)->port());
    asio::co_spawn(io, serve(**server, io), [](const std::exception_ptr& failed) {
        if (failed) std::rethrow_exception(failed);
    });
    io.run();
    return exit_holds;
}

}  // namespace

void add_witness(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("witness", "Look after the logs of others: cosign only what extends what was seen");
    auto options = std::make_shared<WitnessOptions>();
    command->add_option("--listen", options->listen, "Address and port, like 127.0.0.1:8090")->required();
    command->add_option("--key-file", options->key_file, "The witness's own key; made if there is none")->required();
    command->add_option("--name", options->name, "The witness's name, like witness.example/w1")->required();
    command
        ->add_option("--log", options->logs,
                     "The public key of a log, or a file with its keys, oldest first; again for each log or key")
        ->required();
    command->add_option("--state", options->state, "Where the latest checkpoints are kept; not the hub's")->required();
    command->footer(
        "It speaks c2sp.org/tlog-witness: POST /add-checkpoint. It prints its public key, which goes to those\n"
        "who run `audit verify --witness-key`. It serves HTTP on loopback; put a proxy in front for more.");
    command->callback([&exit_code, options] { exit_code = witness(*options); });
}

}  // namespace countersign::app
