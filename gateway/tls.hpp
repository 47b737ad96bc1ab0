// SPDX-License-Identifier: Apache-2.0
// The certificate that a listener shows. Files that do not hold are refused when the listener is opened, with what to
// do: a platform that cannot connect would only fall silent.
#pragma once

#include "core/result.hpp"

#include <boost/asio/ssl/context.hpp>

#include <filesystem>
#include <memory>

namespace countersign::gateway {

struct TlsFiles {
    std::filesystem::path certificate;  // PEM: ours first, then the intermediate ones
    std::filesystem::path key;          // PEM, not encrypted; mode 0600, or a systemd credential by its name
};

// TLS 1.2 and later, no renegotiation, no resumption. Errc::missing_secret and Errc::bad_config, also for a certificate
// that does not belong to the key or is not valid today.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> load_tls(const TlsFiles& files);

}  // namespace countersign::gateway
