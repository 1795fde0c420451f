// What the package needs of the system's cryptographic library; on Apple platforms CryptoKit takes its place.
#ifndef C_MULTI_IDENTITY_CRYPTO_H
#define C_MULTI_IDENTITY_CRYPTO_H

#ifdef __linux__
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdbool.h>
#include <stddef.h>

/// Bytes that somebody else owns.
struct mi_bytes {
    const void *_Nullable start;
    size_t count;
};

/// HKDF with SHA-256 (RFC 5869); false where the library fails.
// In C, since the library's parameters keep pointers to their names.
static inline bool mi_hkdf_sha256(
    EVP_KDF *_Nonnull hkdf, struct mi_bytes key, struct mi_bytes salt, struct mi_bytes info, void *_Nonnull output,
    size_t count
) {
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(hkdf);
    if (!context) return false;
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key.start, key.count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt.start, salt.count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info.start, info.count),
        OSSL_PARAM_construct_end(),
    };
    bool derived = EVP_KDF_derive(context, (unsigned char *)output, count, parameters) > 0;
    EVP_KDF_CTX_free(context);
    return derived;
}
#endif

#endif
