// SPDX-License-Identifier: Apache-2.0
#include "tests/net/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace countersign::testing_tools {
namespace {

template <auto free_it> struct FreeWith {
    void operator()(auto* object) const { free_it(object); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Memory = std::unique_ptr<BIO, FreeWith<BIO_free>>;

void must(bool held) {
    if (!held) throw std::runtime_error{"OpenSSL does not make a certificate"};
}

std::string text_of(const Memory& memory) {
    char* data = nullptr;
    const auto size = BIO_get_mem_data(memory.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

std::string pem(X509* certificate) {
    const Memory memory{BIO_new(BIO_s_mem())};
    must(PEM_write_bio_X509(memory.get(), certificate) == 1);
    return text_of(memory);
}

std::string pem(EVP_PKEY* key) {
    const Memory memory{BIO_new(BIO_s_mem())};
    must(PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return text_of(memory);
}

void add_extension(X509* certificate, int kind, const std::string& value) {
    using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
    const Extension extension{X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str())};
    must(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

Certificate blank(const std::string& name, EVP_PKEY* key, std::chrono::hours middle) {
    static long serial = 0;
    Certificate certificate{X509_new()};
    must(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
    must(ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++serial) == 1);
    const std::chrono::seconds around = middle;
    const std::chrono::seconds day = std::chrono::hours{24};
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), (around - day).count());
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), (around + day).count());
    must(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0) == 1);
    must(X509_set_pubkey(certificate.get(), key) == 1);
    return certificate;
}

}  // namespace

struct Authority::State {
    Key key{EVP_EC_gen("P-256")};
    Certificate certificate;
};

Authority::Authority(const std::string& name) : state_{std::make_unique<State>()} {
    state_->certificate = blank(name, state_->key.get(), std::chrono::hours{0});
    auto* const own = state_->certificate.get();
    must(X509_set_issuer_name(own, X509_get_subject_name(own)) == 1);
    add_extension(own, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(own, NID_key_usage, "critical,keyCertSign");
    must(X509_sign(own, state_->key.get(), EVP_sha256()) > 0);
}

Authority::~Authority() = default;

std::string Authority::certificate() const { return pem(state_->certificate.get()); }

Identity Authority::issue(const std::string& name, std::chrono::hours middle) const {
    const Key key{EVP_EC_gen("P-256")};
    const auto certificate = blank(name, key.get(), middle);
    must(X509_set_issuer_name(certificate.get(), X509_get_subject_name(state_->certificate.get())) == 1);
    add_extension(certificate.get(), NID_subject_alt_name, "DNS:" + name);
    must(X509_sign(certificate.get(), state_->key.get(), EVP_sha256()) > 0);
    return {.certificate = pem(certificate.get()), .key = pem(key.get())};
}

}  // namespace countersign::testing_tools
