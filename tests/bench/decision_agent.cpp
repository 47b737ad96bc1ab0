// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/decision_agent.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace countersign::bench {

namespace {

constexpr std::string_view crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// A ULID of a fixed time; `number` makes it unique.
std::string approval_id(unsigned number) {
    std::string id = "01JCABCDEF0000000000000000";
    for (std::size_t at = id.size(); number != 0; number /= 32) id[--at] = crockford[number % 32];
    return id;
}

std::string event(unsigned number) {
    const auto id = approval_id(number);
    return R"({"type":"approval_request","approvalId":")" + id +
           R"(","approvalSource":"runtime_tool",)"
           R"("subject":{"kind":"tool_use","toolName":")" +
           tool_of(number % decision_people) +
           R"(","toolId":"t","rawInput":)"
           R"({"command":"make -C build install-)" +
           std::to_string(number) +
           R"("},"displayArgs":{}},"options":[)"
           R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once","role":"primary"},)"
           R"({"optionId":"deny","label":"Deny","nativeDecision":"reject_once","role":"destructive"}]})"
           "\n";
}

bool write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::write(to, bytes.data(), bytes.size());
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

int connect_to(const std::string& path) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? socket : -1;
}

// Reads the available bytes and passes on whole lines; false at the end of input.
template <class Line> bool read_lines(int from, std::string& rest, Line&& line) {
    char buffer[64 * 1024];
    const auto count = ::read(from, buffer, sizeof buffer);
    if (count <= 0) return false;
    const auto arrived = now();
    rest.append(buffer, static_cast<std::size_t>(count));
    std::size_t start = 0;
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', start)) {
        if (!line(std::string_view{rest}.substr(start, end - start), arrived)) return false;
        start = end + 1;
    }
    rest.erase(0, start);
    return true;
}

}  // namespace

std::string tool_of(std::size_t person) { return "tool-" + std::to_string(person); }

std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

int run_decision_agent(const std::string& socket_path) {
    const int orders = connect_to(socket_path);
    if (orders < 0) return 1;
    unsigned asked = 0;
    std::string order_rest;
    std::string answer_rest;
    const auto ask = [&](std::string_view order, std::chrono::nanoseconds) {
        for (auto left = std::atoi(std::string{order.substr(order.find(' ') + 1)}.c_str()); left > 0; --left) {
            if (!write_all(STDOUT_FILENO, event(++asked))) return false;
        }
        return true;
    };
    const auto note = [&](std::string_view answer, std::chrono::nanoseconds arrived) {
        constexpr std::string_view key = R"("approvalId":")";
        const auto at = answer.find(key);
        if (at == std::string_view::npos || answer.find("allow_once") == std::string_view::npos) {
            std::fprintf(stderr, "an answer that is no allow: %.*s\n", static_cast<int>(answer.size()), answer.data());
            return false;
        }
        const auto id = std::string{answer.substr(at + key.size(), 26)};
        return write_all(orders, id + " " + std::to_string(arrived.count()) + "\n");
    };
    pollfd both[2] = {{orders, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    while (::poll(both, 2, -1) > 0) {
        if (both[1].revents != 0 && !read_lines(STDIN_FILENO, answer_rest, note)) return 0;
        if (both[0].revents != 0 && !read_lines(orders, order_rest, ask)) return 0;
    }
    return 1;
}

}  // namespace countersign::bench
