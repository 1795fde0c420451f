#if !canImport(CryptoKit)
import CMultiIdentityCrypto

/// The functions of the cryptographic library besides the cipher: OpenSSL's libcrypto here.
enum Cryptography {
    /// Fills memory with unpredictable random bytes.
    static func randomize(_ memory: UnsafeMutableRawBufferPointer) throws(ProtectionError) {
        guard memory.count > 0 else { return }
        guard RAND_bytes(memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(memory.count)) == 1 else {
            throw ProtectionError.cryptography(failedTo: "give random bytes")
        }
    }

    /// Overwrites memory; the compiler cannot remove it.
    static func clear(_ memory: UnsafeMutableRawBufferPointer) {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
    }

    /// Returns whether two pieces of memory are equal, in a time that does not reveal where they differ.
    static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
    }

    /// Derives keys: HKDF with SHA-256 (RFC 5869), extracting and expanding.
    static func derive(
        from key: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        info: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        guard let hkdf, let start = output.baseAddress,
            mi_hkdf_sha256(hkdf, mi_bytes(key), mi_bytes(salt), mi_bytes(info), start, output.count)
        else { throw ProtectionError.cryptography(failedTo: "derive a key (HKDF-SHA-256)") }
    }

    /// The digest of some bytes: SHA-256.
    static func digest(
        of bytes: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        precondition(output.count == digestLength)
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard EVP_Digest(bytes.baseAddress, bytes.count, start, nil, EVP_sha256(), nil) == 1 else {
            throw ProtectionError.cryptography(failedTo: "digest (SHA-256)")
        }
    }

    static let digestLength = 32

    /// Fetched once, since looking for an algorithm takes longer than a short message.
    // `nonisolated(unsafe)`: set once, and what is fetched never changes; the library counts uses with atomics.
    nonisolated(unsafe) private static let hkdf = EVP_KDF_fetch(nil, "HKDF", nil)
}

extension mi_bytes {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(start: bytes.baseAddress, count: bytes.count)
    }
}
#endif
