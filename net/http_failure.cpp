// SPDX-License-Identifier: Apache-2.0
#include "net/http_failure.hpp"

#include <openssl/x509_vfy.h>

namespace countersign::net {
namespace {

// If OpenSSL accepts the chain, libcurl's check of the name has failed.
Error bad_certificate(long verified, const std::string& host) {
    const bool chain_holds = verified == X509_V_OK || verified == X509_V_ERR_UNSPECIFIED;
    const std::string why = chain_holds ? "it is for another name" : X509_verify_cert_error_string(verified);
    return {Errc::bad_signature, "the certificate of " + host + " does not hold: " + why +
                                     ". Check this machine's clock and CA certificates, and who answers there"};
}

}  // namespace

Error http_failure(CURLcode code, long verified, const std::string& host) {
    switch (code) {
    case CURLE_URL_MALFORMAT:
        return {Errc::malformed, "the address of a call to " + host + " cannot be read"};
    case CURLE_UNSUPPORTED_PROTOCOL:  // the scheme was checked before, so this concerns the response
    case CURLE_WEIRD_SERVER_REPLY:
        return {Errc::unavailable, "what answers at " + host + " does not speak HTTP"};
    case CURLE_COULDNT_RESOLVE_HOST:
        return {Errc::away, "the name " + host + " cannot be resolved: check it, and this machine's DNS"};
    case CURLE_COULDNT_CONNECT:
        return {Errc::away, host + " accepts no connection: check the network, and whether it runs"};
    case CURLE_OPERATION_TIMEDOUT:
        return {Errc::away, host + " did not accept a connection in time"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
        return bad_certificate(verified, host);
    case CURLE_SSL_CACERT_BADFILE:
        return {Errc::bad_config, "the file of CA certificates for " + host + " cannot be read"};
    case CURLE_SSL_CONNECT_ERROR:
        return {Errc::away, "no TLS with " + host + ": it speaks none, none that we accept (1.2 or newer), or its " +
                                "certificate is not signed by whom it says"};
    case CURLE_FILESIZE_EXCEEDED:
        return {Errc::too_large, "the answer of " + host + " is longer than we take"};
    case CURLE_OUT_OF_MEMORY:
        return {Errc::unavailable, "no memory for a call to " + host};
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return {Errc::unavailable, "the connection to " + host + " broke before the whole answer was here"};
    default:
        return {Errc::unavailable, "the call to " + host + " failed: " + curl_easy_strerror(code)};
    }
}

}  // namespace countersign::net
