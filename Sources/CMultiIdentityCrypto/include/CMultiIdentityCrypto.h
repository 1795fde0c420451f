// The system's cryptographic library, OpenSSL's libcrypto: the functions and constants that the package uses, and no more.
// On Apple platforms CryptoKit takes its place.
//
// They are declared by hand, as in OpenSSL 3.0, so that the package builds if the library is installed without its headers.
// No version 3 changes or removes what 3.0 declares: the library's name, libcrypto.so.3, says so. `.ci/check-declarations`
// compares them with the headers; the decision is Docs/Decisions/0048-libraries-without-headers.md.
#ifndef C_MULTI_IDENTITY_CRYPTO_H
#define C_MULTI_IDENTITY_CRYPTO_H

#ifdef __linux__
#include <stdbool.h>
#include <stddef.h>

typedef struct engine_st ENGINE;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_kdf_st EVP_KDF;
typedef struct evp_kdf_ctx_st EVP_KDF_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct ossl_param_st OSSL_PARAM;

#define EVP_CTRL_AEAD_GET_TAG 0x10
#define EVP_CTRL_AEAD_SET_TAG 0x11

EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *library, const char *algorithm, const char *properties);
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *context);
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *context, int type, int argument, void *pointer);
int EVP_CipherInit_ex2(
    EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, const unsigned char *key, const unsigned char *nonce, int direction,
    const OSSL_PARAM *parameters
);
int EVP_CipherUpdate(
    EVP_CIPHER_CTX *context, unsigned char *output, int *written, const unsigned char *input, int count
);
int EVP_CipherFinal_ex(EVP_CIPHER_CTX *context, unsigned char *output, int *written);

EVP_KDF *EVP_KDF_fetch(OSSL_LIB_CTX *library, const char *algorithm, const char *properties);
EVP_KDF_CTX *EVP_KDF_CTX_new(EVP_KDF *kdf);
void EVP_KDF_CTX_free(EVP_KDF_CTX *context);
int EVP_KDF_derive(EVP_KDF_CTX *context, unsigned char *key, size_t count, const OSSL_PARAM *parameters);

const EVP_MD *EVP_sha256(void);
int EVP_Digest(
    const void *data, size_t count, unsigned char *digest, unsigned int *written, const EVP_MD *type, ENGINE *engine
);

int RAND_bytes(unsigned char *output, int count);
void OPENSSL_cleanse(void *memory, size_t count);
int CRYPTO_memcmp(const void *one, const void *other, size_t count);

/// Bytes that the caller owns.
struct mi_bytes {
    const void *start;
    size_t count;
};

/// HKDF with SHA-256 (RFC 5869); returns false if the library fails.
// In C, since the library's parameters keep pointers to their names.
bool mi_hkdf_sha256(
    EVP_KDF *hkdf, struct mi_bytes key, struct mi_bytes salt, struct mi_bytes info, void *output,
    size_t count
);
#endif

#endif
