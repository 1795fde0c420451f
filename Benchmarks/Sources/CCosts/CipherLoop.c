#define _GNU_SOURCE

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CCosts.h"

enum { segment = 1 << 16, piece = 1 << 18, tag = 16, header = 157 };

static int write_all(int file, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written <= 0) return 0;
        bytes += written;
        count -= (size_t)written;
    }
    return 1;
}

static int loop(int in, int out, EVP_CIPHER_CTX *context, unsigned char *text, unsigned char *sealed) {
    struct stat status;
    if (fstat(in, &status) != 0) return 3;
    unsigned char start[header] = {0}, nonce[12] = {0};
    if (!write_all(out, start, sizeof start)) return 4;
    off_t position = 0;
    uint32_t number = 0;
    do {
        size_t count = 0;
        while (count < piece) {
            ssize_t got = pread(in, text + count, piece - count, position + (off_t)count);
            if (got < 0) return 5;
            if (got == 0) break;
            count += (size_t)got;
        }
        position += (off_t)count;
        unsigned char *end = sealed;
        for (size_t done = 0; done < count || (count == 0 && done == 0); done += segment) {
            size_t part = count - done < segment ? count - done : segment;
            for (int i = 0; i < 4; i++) nonce[7 + i] = (unsigned char)(number >> (24 - 8 * i));
            nonce[11] = position == status.st_size && done + part == count;
            number++;
            int length = 0;
            if (EVP_EncryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) return 6;
            if (EVP_EncryptUpdate(context, end, &length, text + done, (int)part) != 1) return 7;
            if (EVP_EncryptFinal_ex(context, end + part, &length) != 1) return 8;
            if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag, end + part) != 1) return 9;
            end += part + tag;
            if (part == 0) break;
        }
        if (!write_all(out, sealed, (size_t)(end - sealed))) return 10;
    } while (position < status.st_size);
    return write_all(out, (const unsigned char *)"\215END", 4) ? 0 : 11;
}

int cipher_protect_file(const char *from, const char *folder, const char *to) {
    unsigned char key[32];
    char path[4096];
    snprintf(path, sizeof path, "%s/.cipher-%d.tmp", folder, getpid());
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char *text = malloc(piece), *sealed = malloc(piece + piece / segment * tag);
    int result = 1;
    if (in >= 0 && out >= 0 && directory >= 0 && context && text && sealed && RAND_bytes(key, sizeof key) == 1 &&
        EVP_EncryptInit_ex2(context, EVP_aes_256_gcm(), key, NULL, NULL) == 1)
        result = loop(in, out, context, text, sealed);
    if (result == 0 && (fsync(out) != 0 || rename(path, to) != 0 || fsync(directory) != 0)) result = 2;
    free(text);
    free(sealed);
    EVP_CIPHER_CTX_free(context);
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    if (directory >= 0) close(directory);
    return result;
}

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
