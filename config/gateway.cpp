// SPDX-License-Identifier: Apache-2.0
#include "config/listen_address.hpp"
#include "config/sections.hpp"

namespace countersign::config {
namespace {

bool is_loopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

std::optional<ListenAddress> read_address(Fields& fields, std::string_view key, std::string_view example) {
    const auto text = fields.text(key, example);
    if (!text) return std::nullopt;
    auto address = listen_address(*text);
    if (!address) {
        fields.reject(key, "this is no address and port",
                      "write " + std::string{key} + " = " + std::string{example} + ", an IP address and a port");
    }
    return address;
}

std::string read_path(Fields& fields, std::string_view key, std::string_view example) {
    const auto text = fields.text(key, example);
    if (text && !text->starts_with('/')) {
        fields.reject(key, "this is not an absolute path", "write " + std::string{key} + " = " + std::string{example});
    }
    return text.value_or("");
}

void read_proxies(Fields& fields, GatewayConfig& gateway) {
    for (const auto& proxy : fields.words("proxies", "\"10.0.0.5\"")) {
        if (!is_ip_address(proxy.text)) {
            fields.problems().add(proxy.at, proxy.key, "this is no IP address", "write the proxy's own: \"10.0.0.5\"");
        }
        gateway.proxies.push_back(proxy.text);
    }
    const auto header = fields.word_among("proxy_header", {"x-forwarded-for", "forwarded"});
    gateway.proxies_write_forwarded = header == "forwarded";
    if (header && gateway.proxies.empty()) {
        fields.reject("proxy_header", "no proxy is named, so no header is believed", "write proxies = [\"10.0.0.5\"]");
    }
}

// A channel in webhook mode needs a listener.
void check_webhooks(Fields& root, const Configuration& configuration) {
    const auto* node = root.node("channels");
    if (configuration.gateway.listen || node == nullptr || node->table() == nullptr) return;
    for (const auto& entry : *node->table()) {
        const auto channel = configuration.channels.find(entry.key);
        if (channel == configuration.channels.end() || entry.value.table() == nullptr) continue;
        const auto mode = channel->second.settings.find("mode");
        if (mode == channel->second.settings.end() || mode->second != "webhook") continue;
        Fields fields{entry.value, key_path("channels", entry.key), root.problems()};
        fields.reject("mode", "nothing listens for the webhook",
                      "write listen = \"127.0.0.1:8080\" in [gateway], or mode = \"poll\"");
    }
}

}  // namespace

void read_gateway(Fields& root, Configuration& configuration) {
    const auto* node = root.node("gateway");
    if (node == nullptr) return check_webhooks(root, configuration);
    Fields fields{*node, "gateway", root.problems()};
    auto& gateway = configuration.gateway;
    gateway.listen = read_address(fields, "listen", "\"0.0.0.0:8443\"");
    gateway.admin = read_address(fields, "admin", "\"127.0.0.1:9090\"");
    gateway.certificate_file = read_path(fields, "certificate_file", "\"/etc/countersign/fullchain.pem\"");
    gateway.key_file = read_path(fields, "key_file", "\"/etc/countersign/key.pem\"");
    // The admin pages say what does not work, and everyone who can reach them may read them.
    if (gateway.admin && !is_loopback(gateway.admin->host)) {
        fields.reject("admin", "the health pages are served on this machine only", "write admin = \"127.0.0.1:9090\"");
    }
    read_proxies(fields, gateway);
    if (gateway.certificate_file.empty() != gateway.key_file.empty()) {
        fields.reject(gateway.key_file.empty() ? "key_file" : "certificate_file", "one of the two is not enough",
                      "write both certificate_file and key_file, or neither");
    }
    fields.finish();
    if (fields.node("listen") == nullptr) check_webhooks(root, configuration);
}

}  // namespace countersign::config
