// SPDX-License-Identifier: Apache-2.0
// A log with requests in it, as a hub writes them, and reviews of it.
#pragma once

#include "audit/review/review.hpp"
#include "audit/review/row.hpp"
#include "core/json/write.hpp"
#include "tests/audit/log_world.hpp"

#include <random>

namespace countersign::audit::review {

struct Asking {
    std::string agent = "builder";
    std::string tool = "Bash";
    std::string summary = "ls";
    std::string session = "s-1";
};

struct ReviewWorld : LogWorld {
    Ulid ask(const Asking& asking = {}) {
        const Ulid id{clock.wall(), {0, 0, 0, 0, 0, 0, 0, 0, std::uint8_t(asked >> 8U), std::uint8_t(asked)}};
        ++asked;
        write("request", {{"requestId", id.str()},
                          {"agentId", asking.agent},
                          {"sessionKey", asking.session},
                          {"toolName", asking.tool},
                          {"runtime", "event"},
                          {"risk", "low"},
                          {"summary", asking.summary},
                          {"displayText", asking.summary}});
        return id;
    }
    void present(const Ulid& id, const std::string& channel) {
        write("presented", {{"requestId", id.str()}, {"ref", channel + "/-100//7#0"}, {"whole", true}});
    }
    void vote(const Ulid& id, const std::string& person) {
        write("vote", {{"requestId", id.str()}, {"person", person}, {"optionId", "allow"}, {"have", 1}, {"need", 2}});
    }
    void decide(const Ulid& id, const std::string& outcome, const std::string& by, const std::string& channel = "ops",
                int latency = 1200) {
        write("decision", {{"requestId", id.str()},
                           {"decision", outcome},
                           {"decidedBy", by},
                           {"channel", channel},
                           {"reason", ""},
                           {"decisionLatencyMs", latency}});
    }
    void end(const Ulid& id, const std::string& outcome) {
        write("ended", {{"requestId", id.str()}, {"outcome", outcome}, {"reason", "because"}});
    }
    // As a halt ends requests that a restart left.
    void halt(const Ulid& id, const std::string& by, const std::string& channel) {
        json::Object fields{{"requestId", id.str()}, {"outcome", "denied"}, {"reason", "halted by " + by}};
        fields.add("decidedBy", by);
        if (!channel.empty()) fields.add("channel", channel);
        write("ended", std::move(fields));
    }
    // As a halt refuses requests that its agent makes later.
    void refuse_halted(const Ulid& id, const std::string& by) {
        write("decision", {{"requestId", id.str()},
                           {"decision", "denied"},
                           {"decidedBy", by},
                           {"channel", ""},
                           {"principal", "halt:" + by},
                           {"reason", "halted by " + by},
                           {"decisionLatencyMs", 0}});
    }
    // Without a delivery: as a halt denies requests that are open at that time.
    void deny_with_reason(const Ulid& id, const std::string& by, const std::string& reason,
                          const std::string& delivery) {
        json::Object fields{{"requestId", id.str()}, {"decision", "denied"},      {"decidedBy", by},
                            {"channel", "ops"},      {"principal", "telegram:5"}, {"reason", reason},
                            {"decisionLatencyMs", 0}};
        if (!delivery.empty()) fields.add("delivery", delivery);
        write("decision", std::move(fields));
    }
    void about(const Ulid& id, const std::string& kind) { write(kind, {{"requestId", id.str()}, {"decisionSeq", 1}}); }
    void refuse(const Ulid& id, const std::string& why, int suppressed = 0) {
        write("refused",
              {{"requestId", id.str()}, {"principal", "telegram:9"}, {"why", why}, {"suppressed", suppressed}});
    }
    void unasked(const std::string& agent, int suppressed = 0) {
        write("unasked", {{"agentId", agent}, {"toolName", "Read"}, {"suppressed", suppressed}});
    }
    // Records that hubs write in any order, provided that a request comes before the records about it.
    void something(std::mt19937_64& random) {
        const auto pick = [&](auto... values) {
            const std::vector<std::string> all{values...};
            return all[random() % all.size()];
        };
        clock.advance(std::chrono::milliseconds{random() % 400'000});
        if (known.empty() || random() % 4 == 0) {
            known.push_back(ask({.agent = pick("builder", "prod-1", "prod-2"),
                                 .tool = pick("Bash", "Edit", "Read"),
                                 .summary = pick("ls", "make", "rm -rf build"),
                                 .session = pick("s-1", "s-2")}));
            return;
        }
        const auto& id = known[random() % known.size()];
        switch (random() % 9) {
        case 0:
            return present(id, pick("ops", "desk"));
        case 1:
            return vote(id, pick("alice", "bob", "carol"));
        case 2:
        case 3:
            return decide(id, pick("allowed", "denied"),
                          pick("alice", "bob", "policy:safe", "grant:01J", "demo:unattended"), pick("ops", "desk"),
                          static_cast<int>(random() % 90'000));
        case 4:
            if (random() % 4 == 0) return halt(id, pick("alice", "bob"), pick("ops", ""));
            return end(id, pick("expired", "withdrawn", "lost"));
        case 5:
            return about(id, pick("forwarded", "forward_failed", "indeterminate", "something new"));
        case 6:
            return refuse(id, pick("not_authorised", "late"), static_cast<int>(random() % 3));
        case 7:
            return unasked(pick("builder", "prod-1"), static_cast<int>(random() % 3));
        default:
            return write("heartbeat", {});
        }
    }
    void write(const std::string& kind, json::Object fields) { (void)append(entry(kind, std::move(fields))); }

    // Without an index unless a place is given.
    Result<Review> review(Keeping keeping = {}) {
        return Review::open({.files = *disk, .directory = directory, .keeping = std::move(keeping)});
    }
    static Keeping keeping() { return {.directory = "cache", .name = "review-1", .records_min = 1, .records_step = 1}; }

    // All lines that a list would print for this filter.
    static std::vector<std::string> listed(Review& log, const Filter& filter = {}, std::size_t newest = 0) {
        std::vector<std::string> rows;
        const auto found = log.each(filter, newest, [&](const Account& account) {
            rows.push_back(json::canonical(json_of(row_of(account))));
            return true;
        });
        if (!found) rows.push_back(describe(found.error()));
        return rows;
    }
    std::vector<Ulid> known;
    unsigned asked = 0;
};

}  // namespace countersign::audit::review
