// SPDX-License-Identifier: Apache-2.0
// Unattended: a channel without people, only for `demo --answer`. It gives the same answer to everything.
//
// Only the demo command can reach it, with the demo agent, in a fresh directory with fresh keys; no configuration can
// name it. Its decisions are recorded as demo:unattended.
#pragma once

#include "core/ports/attempts.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"

#include <functional>
#include <string>

namespace countersign::app::demo {

enum class UnattendedAnswer { allow, deny };
inline constexpr const char* unattended_principal = "demo:unattended";

class Unattended final : public Channel {
public:
    struct Ports {
        Clock& clock;
        Deliveries& deliveries;
        Attempts& attempts;
    };
    Unattended(std::string name, UnattendedAnswer answer, Ports ports, std::function<void(const std::string&)> say)
        : name_{std::move(name)}, answer_{answer}, ports_{ports}, say_{std::move(say)} {}

    [[nodiscard]] const std::string& name() const override { return name_; }
    void present(Presentation presentation) override;
    void conclude(DeliveryId id, const Conclusion& conclusion) override;
    void conclude_earlier(DeliveryId, const MessageRef&, const Conclusion&) override {}
    void tell_earlier(DeliveryId, const MessageRef&, const EarlierNews&) override {}
    void update(DeliveryId, CardState) override {}
    void announce(Announcement announcement) override;

private:
    std::string name_;
    UnattendedAnswer answer_;
    Ports ports_;
    std::function<void(const std::string&)> say_;
};

}  // namespace countersign::app::demo
