// SPDX-License-Identifier: Apache-2.0
#include "config/nearest.hpp"
#include "config/route_rules.hpp"
#include "config/sections.hpp"
#include "core/channel_kind.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::config {

namespace {

using namespace std::chrono_literals;

void check_place(Fields& fields, const ChannelKind& kind, const Step& step, const Configuration& configuration) {
    const auto to_people = "people = [" + example_person(configuration) + "]";
    const bool chat = fields.node("chat") != nullptr;
    const bool people = fields.node("people") != nullptr;
    const auto kind_text = std::string{kind.name};
    if (chat && kind.placing == Placing::one_place) {
        fields.reject("chat", "a " + kind_text + " has one place only", "leave chat out");
    } else if (chat && kind.placing == Placing::people) {
        fields.reject("chat", kind_text + " goes to people, not to a chat", "write " + to_people);
    } else if (chat && people) {
        fields.reject("people", "a step goes to a chat or to people, not both", "write two steps");
    } else if (chat) {
        check_chat(fields, kind, step.chat);
    } else if (!chat && !people && kind.placing != Placing::one_place) {
        const auto instead =
            kind.placing == Placing::people ? "write " + to_people : "write chat = \"…\" or " + to_people;
        fields.reject("channel", "this step is sent to nobody", instead);
    } else if (people && step.people.empty() && fields.node("people")->list() != nullptr &&
               fields.node("people")->list()->empty()) {
        fields.reject("people", "this step is sent to nobody", "write " + to_people);
    }
}

std::string read_topic(Fields& fields, const ChannelKind* kind) {
    const auto* node = fields.node("topic");
    if (node == nullptr || kind == nullptr) return {};
    const auto* topics = kind->topics;
    if (topics == nullptr) {
        fields.reject("topic", "a " + std::string{kind->name} + " has no topics", "leave topic out");
        return {};
    }
    const auto wrong = node->integer() == nullptr ? Complaint{} : topics->check(*node->integer());
    if (!wrong.what.empty()) {
        fields.reject("topic", wrong.what, wrong.instead);
    } else if (fields.node("chat") == nullptr) {
        fields.reject("topic", "a topic is a part of a group", std::string{topics->chat});
    } else if (const auto topic = fields.integer("topic", topics->least, topics->most)) {
        return std::to_string(*topic);
    }
    return {};
}

Step read_step(const Node& node, std::string path, const Configuration& configuration, Problems& problems) {
    Fields fields{node, std::move(path), problems};
    Step step;
    step.after = fields.duration("after", 0ms).value_or(0ms);
    const auto* kind = read_channel_name(fields, configuration, step.channel, "a step");
    step.chat = read_chat(fields);
    step.thread = read_topic(fields, kind);
    const auto people = fields.words("people", example_person(configuration));
    for (const auto& word : people) {
        if (!is_person(word, configuration, problems)) continue;
        step.people.push_back(word.text);
        if (kind == nullptr || has_principal_of(configuration.people.at(word.text), kind->principal.name)) continue;
        problems.add(word.at, word.key, word.text + " has no id for " + std::string{kind->name},
                     "write " + std::string{kind->principal.name} + " = … in [people." + word.text + "]");
    }
    refuse_repeats(people, problems);
    if (kind != nullptr) check_place(fields, *kind, step, configuration);
    fields.finish();
    return step;
}

}  // namespace

const ChannelKind* read_channel_name(Fields& fields, const Configuration& configuration, std::string& channel,
                                     std::string_view whose) {
    const auto given = fields.text("channel", "\"desk\"");
    if (!given) {
        if (fields.node("channel") == nullptr) {
            fields.reject("channel", std::string{whose} + " needs a channel", "write channel = \"desk\"");
        }
        return nullptr;
    }
    channel = *given;
    const auto found = configuration.channels.find(*given);
    if (found != configuration.channels.end()) return found->second.facts;
    fields.reject(
        "channel", "there is no such channel",
        did_you_mean(*given, names_of(configuration.channels), "write a name that has a [channels.<name>] table"));
    return nullptr;
}

std::string read_chat(Fields& fields) {
    const auto* node = fields.node("chat");
    if (node == nullptr) return {};
    if (const auto* integer = node->integer()) return std::to_string(*integer);
    return fields.text("chat", "\"C0OPS\"").value_or("");
}

void check_chat(Fields& fields, const ChannelKind& kind, std::string_view chat) {
    if (chat.empty() || kind.check_chat == nullptr) return;  // an empty chat was already reported
    auto wrong = kind.check_chat(chat);
    if (!wrong.what.empty()) fields.reject("chat", std::move(wrong.what), std::move(wrong.instead));
}

void read_steps(Fields& fields, const Configuration& configuration, Route& route) {
    const auto* node = fields.node("ask");
    if (node == nullptr) {
        if (!route.ends_deny) fields.reject("ask", "nobody is asked", "write ask = [ { channel = \"desk\" } ]");
        return;
    }
    const auto* list = node->list();
    if (list == nullptr || list->empty()) {
        fields.reject("ask", "nobody is asked", "write ask = [ { channel = \"desk\" } ], a list of steps");
        return;
    }
    if (list->size() > limits::steps_max) {
        fields.reject("ask", "more than " + std::to_string(limits::steps_max) + " steps");
        return;
    }
    std::size_t deliveries = 0;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const auto path = index_path(fields.key_of("ask"), i);
        auto step = read_step((*list)[i], path, configuration, fields.problems());
        if (!route.steps.empty() && step.after < route.steps.back().after) {
            fields.problems().add((*list)[i].at, path + ".after", "comes before the step above it",
                                  "order the steps by time");
        }
        if (route.timeout && step.after >= *route.timeout) {
            fields.problems().add((*list)[i].at, path + ".after", "comes when the request has expired",
                                  "make it shorter than timeout");
        }
        deliveries += step.people.empty() ? 1 : step.people.size();
        route.steps.push_back(std::move(step));
    }
    if (deliveries > limits::deliveries_per_request_max) {
        fields.reject("ask", "more than " + std::to_string(limits::deliveries_per_request_max) + " messages a request",
                      "send it to a chat");
    }
}

}  // namespace countersign::config
