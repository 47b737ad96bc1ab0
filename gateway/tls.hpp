// SPDX-License-Identifier: Apache-2.0
// Loads a listener's certificate. Invalid files are refused with advice when the listener is opened: later, a platform
// that cannot connect would just be silent.
#pragma once

#include "core/result.hpp"

#include <boost/asio/ssl/context.hpp>

#include <filesystem>
#include <memory>

namespace countersign::gateway {

struct TlsFiles {
    std::filesystem::path certificate;  // PEM: our certificate first, then the intermediates
    std::filesystem::path key;          // PEM, unencrypted; mode 0600, or the name of a systemd credential
};

// TLS 1.2 and later, without renegotiation and resumption. Errc::missing_secret, or Errc::bad_config, also if the
// certificate does not match the key or is not valid today.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> load_tls(const TlsFiles& files);

}  // namespace countersign::gateway
