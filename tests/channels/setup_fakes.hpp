// SPDX-License-Identifier: Apache-2.0
// For the tests of a platform's half of `setup`: the command around it, and a channel that is configured already.
#pragma once

#include "channels/setup.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels::fakes {

template <class FakeHttp> class SetupTest : public testing::Test {
protected:
    SetupTest(const SetupKind& kind, std::string name) : kind_{kind}, name_{std::move(name)} {}

    std::unique_ptr<channels::Setup> open(std::map<std::string, std::string, std::less<>> given = {},
                                          bool force = false) {
        return kind_.open({.executor = io.get_executor(),
                           .http = http,
                           .clock = clock,
                           .ids = ids,
                           .tell = [this](const std::string& text) { told += text; },
                           .given = std::move(given),
                           .force = force,
                           .command = "countersign setup " + name_,
                           .address = [this](const std::string& given) -> Result<std::string> {
                               if (!given.starts_with("https://")) return Error{Errc::bad_config, "https only"};
                               return given + "/webhooks/" + name_ + "/" + name_;
                           }});
    }
    template <class Value> Result<Value> finish(boost::asio::awaitable<Result<Value>> step) {
        std::optional<Result<Value>> outcome;
        boost::asio::co_spawn(io, std::move(step), [&](const std::exception_ptr& failed, Result<Value> result) {
            if (failed) std::rethrow_exception(failed);
            outcome = std::move(result);
        });
        io.restart();
        io.run();
        return std::move(*outcome);
    }
    Result<void> check(channels::Setup& setup, std::size_t credential, std::string_view value) {
        return finish(setup.check(setup.credentials().at(credential), security::Secret{value}));
    }

    boost::asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    FakeHttp http;
    std::string told;

private:
    const SetupKind& kind_;
    std::string name_;
};

// A channel as it is configured, which records what it is to become.
class FakeChannel : public ConfiguredChannel {
public:
    // `secret` is in every file that a setting names.
    FakeChannel(std::string kind, std::map<std::string, std::string> values, std::string_view secret)
        : kind_{std::move(kind)},
          settings_{std::move(values),
                    [secret](const std::string&) -> Result<security::Secret> { return security::Secret{secret}; }} {}
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] const Settings& settings() const override { return settings_; }
    [[nodiscard]] const std::string& file() const override { return file_; }
    [[nodiscard]] Result<void> no_hub_runs() const override {
        if (hub_runs) return Error{Errc::busy, "a hub runs"};
        return {};
    }
    [[nodiscard]] Result<std::string> address(const std::string& given) const override {
        return given + "/webhooks/" + kind_ + "/" + name_;
    }
    [[nodiscard]] Result<KeptSecret> secret_or_new(const std::string&, const std::string&) override {
        return Error{Errc::internal, "the secrets are not ours to make"};
    }
    [[nodiscard]] Result<KeptSecret> secret_or_asked(const Credential& credential, const CheckSecret& check) override {
        asked.push_back(std::string{credential.setting});
        security::Secret given{typed};
        if (const auto right = check(given); !right) return right.error();
        return KeptSecret{.value = std::move(given), .file = "/etc/" + std::string{credential.file}};
    }
    [[nodiscard]] Result<void> plan(ChannelChange wanted) override {
        change = std::move(wanted);
        return {};
    }
    [[nodiscard]] Result<void> plan_listener(const std::string& listen) override {
        listens = listen;
        return {};
    }
    [[nodiscard]] Result<void> write() override {
        written = true;
        return {};
    }
    [[nodiscard]] std::vector<std::string> only_for_webhook(const std::vector<std::string>& settings) const override {
        std::vector<std::string> unused{"listen in [gateway]"};
        if (!settings.empty()) unused.insert(unused.begin(), settings.front() + " in [channels." + name_ + "]");
        return unused;
    }

    std::string_view typed;
    bool hub_runs = false;
    std::vector<std::string> asked;
    ChannelChange change;
    std::optional<std::string> listens;
    bool written = false;

private:
    std::string kind_;
    std::string name_ = "desk";
    std::string file_ = "/etc/countersign.toml";
    Settings settings_;
};

using Lines = std::vector<std::pair<std::string, std::string>>;

}  // namespace countersign::channels::fakes
