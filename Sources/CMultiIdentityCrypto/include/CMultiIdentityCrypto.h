// What the package needs of the system's cryptographic library; on Apple platforms CryptoKit takes its place.
#ifndef C_MULTI_IDENTITY_CRYPTO_H
#define C_MULTI_IDENTITY_CRYPTO_H

#ifdef __linux__
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#endif

#endif
