// SPDX-License-Identifier: Apache-2.0
#include "gateway/health.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"

namespace countersign::gateway {

namespace asio = boost::asio;

namespace {

std::string one_line(std::string_view reason) {
    const auto valid = utf8::repaired(reason);
    std::string line{utf8::head(valid, limits::gateway_unready_reason_bytes_max)};
    for (auto& symbol : line) {
        if (static_cast<unsigned char>(symbol) < 0x20 || symbol == 0x7F) symbol = ' ';
    }
    return line;
}

}  // namespace

Reply readiness_page(const std::vector<std::string>& unready) {
    if (unready.empty()) return {.status = 200, .content_type = "text/plain; charset=utf-8", .body = "ready\n"};
    Reply page{.status = 503, .content_type = "text/plain; charset=utf-8", .body = {}};
    for (std::size_t i = 0; i < unready.size(); ++i) {
        if (i == limits::gateway_unready_reasons_max) {
            page.body += "and " + std::to_string(unready.size() - i) + " more\n";
            break;
        }
        page.body += one_line(unready[i]) + '\n';
    }
    return page;
}

asio::awaitable<Reply> Health::Alive::handle(InboundMessage) {
    co_return Reply{.status = 200, .content_type = "text/plain", .body = "alive\n"};
}

asio::awaitable<Reply> Health::Ready::handle(InboundMessage) { co_return readiness_page(readiness_.unready()); }

std::vector<Endpoint> Health::routes() {
    return {{.method = "GET", .path = "/livez", .name = "livez", .handler = &alive_},
            {.method = "GET", .path = "/readyz", .name = "readyz", .handler = &ready_}};
}

}  // namespace countersign::gateway
