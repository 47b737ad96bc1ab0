// SPDX-License-Identifier: Apache-2.0
#include "app/anchoring/open.hpp"

#include "app/anchoring/anchoring.hpp"
#include "app/anchoring/chat.hpp"
#include "app/anchoring/witness.hpp"
#include "app/output.hpp"
#include "core/counted.hpp"
#include "security/display/display.hpp"

namespace countersign::app {

namespace asio = boost::asio;

namespace {

std::string not_seen_by(std::size_t witnesses) {
    return counted(witnesses, "witness has", "witnesses have") + " not seen the end of the log until the next start";
}

class Anchors final : public Part {
public:
    Anchors(Host& host, Anchoring::Source source)
        : anchoring{host.io.get_executor(), host.bridge->clock(), std::move(source),
                    [&host](const std::string& what) { host.say("showing the log outside failed: " + what); }},
          host_{host} {}

    asio::awaitable<void> run() override {
        anchoring.look();
        co_return;
    }
    asio::awaitable<void> stop_front() override {
        worker.stop();
        const auto ended = co_await anchoring.stop();
        if (!ended) host_.hangs = ended.error();
    }
    // Until the hub's next start, an attacker could cut off the records after the last observed checkpoint unnoticed.
    asio::awaitable<void> log_closed() override {
        is_log_closed = true;
        worker.go_on();
        // The terminal that showed cards was closed with the other channels.
        host_.say = [](const std::string& line) { tell("{}\n", security::display(line, security::DisplayMode::line)); };
        const auto missing = co_await anchoring.show_last();
        if (missing > 0) host_.say(not_seen_by(missing));
        co_await stop_front();
    }

    Worker worker;
    Anchoring anchoring;
    bool is_log_closed = false;

private:
    Host& host_;
};

}  // namespace

Result<void> open_anchoring(Host& host) {
    auto& bridge = *host.bridge;
    const auto& configuration = bridge.configuration();
    if (configuration.log_anchors.empty() && configuration.log_witnesses.empty()) return {};
    const auto& log = bridge.log();
    auto opened = std::make_unique<Anchors>(host, Anchoring::Source{.checkpoint = [&log] { return log.checkpoint(); },
                                                                    .happened = [&log] { return log.happened(); }});
    auto& anchors = *opened;
    host.parts.push_back(std::move(opened));
    const Telling telling{.record =
                              [&host, &anchors](LogEntry entry) {
                                  // For the final checkpoint there is only the cosigned note next to the log: the log
                                  // is closed, so no record.
                                  if (anchors.is_log_closed) return;
                                  host.bridge->hub().record(std::move(entry), [&host](const Error& why) {
                                      host.say("the audit log has no record of an anchor: " + describe(why));
                                  });
                              },
                          .say = [&host](const std::string& line) { host.say(line); }};
    auto& files = audit::posix_file_system();
    for (const auto& config : configuration.log_anchors) {
        auto chat = std::make_unique<ChatObserver>(config,
                                                   ChatObserver::Ports{.hub = bridge.hub(),
                                                                       .clock = bridge.clock(),
                                                                       .worker = anchors.worker,
                                                                       .files = files,
                                                                       .directory = bridge.audit_directory()},
                                                   telling);
        const auto last = chat->last();
        anchors.anchoring.add(std::move(chat), config.rhythm, last);
    }
    for (const auto& config : configuration.log_witnesses) {
        auto key = audit::NoteKey::parse(config.vkey, audit::NoteAlgorithm::witness);
        if (!key) return key.error();
        auto witness = std::make_unique<WitnessObserver>(config.url, std::move(*key),
                                                         WitnessObserver::Ports{.http = host.http_client(),
                                                                                .clock = bridge.clock(),
                                                                                .worker = anchors.worker,
                                                                                .files = files,
                                                                                .directory = bridge.audit_directory()},
                                                         telling);
        const auto last = witness->last();
        anchors.anchoring.add(std::move(witness), config.rhythm, last);
    }
    bridge.on_written([&anchors] { anchors.anchoring.look(); });
    return {};
}

}  // namespace countersign::app
