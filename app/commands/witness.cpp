// SPDX-License-Identifier: Apache-2.0
// `witness`: runs a second party that cosigns the logs of others. Its own process, key and directory; best on another
// machine.
#include "audit/witness.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "audit/state_directory.hpp"
#include "config/listen_address.hpp"
#include "core/limits.hpp"
#include "gateway/server.hpp"
#include "security/display/display.hpp"
#include "security/ed25519.hpp"
#include "security/key_file.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <optional>
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
    std::string certificate;
    std::string certificate_key;
};

// The log's name in the request. Anyone can write it; it is not verified yet.
std::string log_of(std::string_view body) {
    const auto text = body.substr(std::min(body.find("\n\n") + 2, body.size()));
    return security::display(text.substr(0, std::min(text.find('\n'), limits::origin_bytes_max)),
                             security::DisplayMode::line);
}

// Runs on the one thread, including the disk work: requests are answered one after the other.
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
    [[nodiscard]] Reply deferred() const override { return gateway::unavailable(); }

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

std::optional<gateway::ServerOptions> server_options(const WitnessOptions& options) {
    auto address = config::listen_address(options.listen);
    if (!address) return std::nullopt;
    gateway::ServerOptions server{.address = std::move(address->host), .port = address->port};
    if (!options.certificate.empty()) server.tls = {options.certificate, options.certificate_key};
    return server;
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
    const auto server_is = server_options(options);
    if (!server_is) return usage_error("--listen is an IP address and a port, like 127.0.0.1:8090 or [::]:8090");
    if (const auto hub = audit::posix_file_system().exists(options.state + "/" + audit::log_directory); !hub || *hub) {
        return usage_error(options.state + " is a hub's; give the witness a directory of its own");
    }
    const auto held = audit::StateDirectory::open(options.state);
    if (!held) return report(held.error());
    auto opened = open_witness(options, *held);
    if (!opened) return report(opened.error());
    asio::io_context io{1};
    SystemClock clock;
    AddCheckpoint add_checkpoint{*opened, clock};
    // If the answer is late, the log asks again and gets its cosignature at once.
    auto server =
        gateway::Server::open(io.get_executor(), *server_is,
                              {{.method = "POST",
                                .path = "/add-checkpoint",
                                .name = "add-checkpoint",
                                .body_bytes_max = limits::witness_request_bytes_max,
                                .handler = &add_checkpoint,
                                .counts_refusals = true}},
                              {.clock = clock,
                               .access = [](const std::string& line) { tell("{}\n", line); },
                               .stray = [](const std::string& what) { tell("a request failed: {}\n", what); }});
    if (!server) return report(server.error());
    show("{}\n", opened->key().vkey());
    tell("listening on {} port {}\n", server_is->address, (*server)->port());
    asio::co_spawn(io, serve(**server, io), [](const std::exception_ptr& failed) {
        if (failed) std::rethrow_exception(failed);
    });
    io.run();
    return exit_holds;
}

}  // namespace

void add_witness(Command& program) {
    auto command = program.subcommand(
        "witness", "Sign other hubs' logs as a second party, so that records can't be removed later");
    auto options = std::make_shared<WitnessOptions>();
    command.option("--listen", options->listen, "Address and port, e.g. 127.0.0.1:8090").required();
    command.option("--key-file", options->key_file, "The witness's own key; created if it doesn't exist").required();
    command.option("--name", options->name, "The witness's name, e.g. witness.example/w1").required();
    command
        .option("--log", options->logs,
                "The public key of a log, or a file with its keys, oldest first; can be given several times")
        .required();
    command.option("--state", options->state, "Where to keep the latest checkpoints; not the hub's state directory")
        .type_name("DIR")
        .required();
    auto certificate = command.option("--tls-certificate", options->certificate,
                                      "The certificate, a PEM file; needed if other machines connect directly");
    auto key = command.option("--tls-key", options->certificate_key, "The key of that certificate, a PEM file");
    certificate.needs(key);
    key.needs(certificate);
    command.footer("A hub sends it each signed checkpoint of its log. The witness signs one only with a proof that all "
                   "records it has seen before are still there. The protocol is c2sp.org/tlog-witness, POST "
                   "/add-checkpoint.\n\n"
                   "It prints its public key: write it to [[log.witnesses]] of the hub, and give it to everyone who "
                   "runs `audit verify --witness-key`. Without a certificate it listens on loopback only, for a "
                   "reverse proxy that handles TLS.\n\n"
                   "  countersign witness --listen 127.0.0.1:8090 --name witness.example/w1 \\\n"
                   "    --key-file w1.key --state w1 --log log.vkey");
    command.runs([options] { return witness(*options); });
}

}  // namespace countersign::app
