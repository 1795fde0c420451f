#include <openssl/evp.h>

#include "CCosts.h"

int cipher_speed(unsigned char *bytes, int count) {
    static EVP_CIPHER_CTX *context;
    static const unsigned char key[32], nonce[12];
    if (!context) {
        context = EVP_CIPHER_CTX_new();
        if (!context || EVP_EncryptInit_ex2(context, EVP_aes_256_gcm(), key, NULL, NULL) != 1) return 1;
    }
    int length = 0;
    if (EVP_EncryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) return 2;
    if (EVP_EncryptUpdate(context, bytes, &length, bytes, count) != 1) return 3;
    return EVP_EncryptFinal_ex(context, bytes + length, &length) == 1 ? 0 : 4;
}
