#if canImport(CryptoKit)
import CryptoKit
import Foundation

/// AES-256-GCM under one key, for either encryption or decryption, by CryptoKit.
///
/// The caller must never use a nonce twice.
struct AESGCM: ~Copyable, Sendable {
    /// The direction that a context is set up for; CryptoKit's key serves both.
    enum Direction {
        case opening
        case sealing
    }

    static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16

    private let key: SymmetricKey

    init(key: UnsafeRawBufferPointer, for direction: Direction) throws(ProtectionError) {
        precondition(key.count == Self.keyLength)
        self.key = SymmetricKey(data: key)
    }

    /// Encrypts a text; its tag is written after it.
    ///
    /// `output`: Space for the text and ``tagLength`` bytes; may begin where the text does.
    mutating func seal(
        _ text: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        authenticating associated: UnsafeRawBufferPointer = .empty,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        precondition(output.count == text.count + Self.tagLength)
        do {
            let box = try AES.GCM.seal(
                Data(text),
                using: key,
                nonce: AES.GCM.Nonce(data: nonce),
                authenticating: Data(associated)
            )
            output.copyBytes(from: box.ciphertext)
            output.part(text.count..<output.count).copyBytes(from: box.tag)
        } catch { throw ProtectionError.cryptography(failedTo: "encrypt") }
    }

    /// Decrypts a text followed by its tag; returns `false`, without output, if the tag does not match.
    ///
    /// `output`: Space for the text without its tag; may begin where the sealed text does.
    mutating func open(
        _ sealed: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        authenticating associated: UnsafeRawBufferPointer = .empty,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) -> Bool {
        guard sealed.count >= Self.tagLength else { return false }
        precondition(output.count == sealed.count - Self.tagLength)
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce),
                ciphertext: Data(sealed.dropLast(Self.tagLength)),
                tag: Data(sealed.suffix(Self.tagLength))
            )
            output.copyBytes(from: try AES.GCM.open(box, using: key, authenticating: Data(associated)))
            return true
        } catch CryptoKitError.authenticationFailure {
            Cryptography.clear(output)
            return false
        } catch { throw ProtectionError.cryptography(failedTo: "decrypt") }
    }
}
#endif
