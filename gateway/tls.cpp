// SPDX-License-Identifier: Apache-2.0
#include "gateway/tls.hpp"

#include "core/limits.hpp"
#include "security/secret_file.hpp"

#include <boost/asio/buffer.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <fstream>
#include <string>
#include <system_error>

namespace countersign::gateway {

namespace fs = std::filesystem;
namespace ssl = boost::asio::ssl;

namespace {

Error bad(const fs::path& path, const std::string& why) { return {Errc::bad_config, path.string() + ' ' + why}; }

Result<std::string> read_certificate(const fs::path& path) {
    std::error_code ignored;
    // A pipe at this path must not block the start.
    if (!fs::is_regular_file(path, ignored)) return bad(path, "is no file: name the PEM file of the certificate chain");
    std::ifstream file{path, std::ios::binary};
    std::string text(limits::gateway_certificate_bytes_max + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty()) return bad(path, "is empty or cannot be read: name the PEM file of the certificate chain");
    if (text.size() > limits::gateway_certificate_bytes_max) {
        return Error{Errc::too_large, path.string() + " has more than " +
                                          std::to_string(limits::gateway_certificate_bytes_max) +
                                          " bytes: name the chain of this host alone, not a bundle of authorities"};
    }
    return text;
}

// Certificate tools use symbolic links to the current file; their target must satisfy the rules for secrets.
Result<security::Secret> read_key(const fs::path& path) {
    std::error_code failed;
    const auto name = path.string();
    if (name.find('/') == name.npos) return security::find_secret(name, security::credentials_directory());
    const auto file = fs::canonical(path, failed);
    return security::read_secret(failed ? path : file);
}

Result<void> check_dates(const fs::path& path, const X509* certificate) {
    if (X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0) {
        return bad(path, "has expired: renew the certificate, then start again");
    }
    if (X509_cmp_current_time(X509_get0_notBefore(certificate)) >= 0) {
        return bad(path, "is not valid yet: check the clock of this machine");
    }
    return {};
}

Result<void> fill(ssl::context& context, const TlsFiles& files) {
    const auto certificate = read_certificate(files.certificate);
    if (!certificate) return certificate.error();
    const auto key = read_key(files.key);
    if (!key) return key.error();

    boost::system::error_code failed;
    context.use_certificate_chain(boost::asio::buffer(*certificate), failed);
    if (failed) return bad(files.certificate, "is no certificate chain in PEM: export it as PEM, ours first");
    if (const auto fit = check_dates(files.certificate, SSL_CTX_get0_certificate(context.native_handle())); !fit) {
        return fit;
    }
    // Otherwise OpenSSL would ask for a passphrase on the terminal.
    context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string{}; }, failed);
    context.use_private_key(boost::asio::buffer(key->bytes().data(), key->size()), ssl::context::pem, failed);
    if (failed || SSL_CTX_check_private_key(context.native_handle()) != 1) {
        return bad(files.key, "is no unencrypted PEM key of " + files.certificate.string() +
                                  ": name the pair that was made together, the key without a passphrase");
    }
    return {};
}

}  // namespace

Result<std::shared_ptr<ssl::context>> load_tls(const TlsFiles& files) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    auto* native = context->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
    const auto filled = fill(*context, files);
    ERR_clear_error();  // errors were reported above; later OpenSSL calls must not see them
    if (!filled) return filled.error();
    return context;
}

}  // namespace countersign::gateway
