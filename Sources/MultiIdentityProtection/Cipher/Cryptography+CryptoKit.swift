#if canImport(CryptoKit)
import CryptoKit
import Darwin
import Foundation

/// The functions of the cryptographic library besides the cipher: CryptoKit here.
enum Cryptography {
    /// Fills memory with unpredictable random bytes.
    static func randomize(_ memory: UnsafeMutableRawBufferPointer) throws(ProtectionError) {
        guard let start = memory.baseAddress else { return }
        arc4random_buf(start, memory.count)
    }

    /// Overwrites memory; the compiler cannot remove it.
    static func clear(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        _ = memset_s(start, memory.count, 0, memory.count)
    }

    /// Returns whether two pieces of memory are equal, in a time that does not reveal where they differ.
    static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        one.count == other.count && timingsafe_bcmp(one.baseAddress, other.baseAddress, one.count) == 0
    }

    /// Derives keys: HKDF with SHA-256 (RFC 5869), extracting and expanding.
    static func derive(
        from key: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        info: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            salt: Data(salt),
            info: Data(info),
            outputByteCount: output.count
        )
        derived.withUnsafeBytes { output.copyMemory(from: $0) }
    }

    /// The digest of some bytes: SHA-256.
    static func digest(
        of bytes: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        SHA256.hash(data: bytes).withUnsafeBytes { output.copyMemory(from: $0) }
    }

    static let digestLength = 32
}
#endif
