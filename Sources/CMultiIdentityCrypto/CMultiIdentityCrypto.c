#include "CMultiIdentityCrypto.h"

#ifdef __linux__
struct ossl_param_st {
    const char *key;
    unsigned int data_type;
    void *data;
    size_t data_size;
    size_t return_size;
};

#define OSSL_ALG_PARAM_DIGEST "digest"
#define OSSL_KDF_PARAM_DIGEST OSSL_ALG_PARAM_DIGEST
#define OSSL_KDF_PARAM_KEY "key"
#define OSSL_KDF_PARAM_SALT "salt"
#define OSSL_KDF_PARAM_INFO "info"

OSSL_PARAM OSSL_PARAM_construct_utf8_string(const char *key, char *text, size_t count);
OSSL_PARAM OSSL_PARAM_construct_octet_string(const char *key, void *bytes, size_t count);
OSSL_PARAM OSSL_PARAM_construct_end(void);

// Empty bytes may have no address, which the library refuses.
static OSSL_PARAM octets(const char *name, struct mi_bytes bytes) {
    return OSSL_PARAM_construct_octet_string(name, bytes.start ? (void *)bytes.start : "", bytes.count);
}

bool mi_hkdf_sha256(
    EVP_KDF *hkdf, struct mi_bytes key, struct mi_bytes salt, struct mi_bytes info, void *output, size_t count
) {
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(hkdf);
    if (!context) return false;
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        octets(OSSL_KDF_PARAM_KEY, key),
        octets(OSSL_KDF_PARAM_SALT, salt),
        octets(OSSL_KDF_PARAM_INFO, info),
        OSSL_PARAM_construct_end(),
    };
    bool derived = EVP_KDF_derive(context, output, count, parameters) > 0;
    EVP_KDF_CTX_free(context);
    return derived;
}
#endif
