#if !canImport(CryptoKit)
import CMultiIdentityCrypto

/// AES-256-GCM under one key, for either encryption or decryption: an OpenSSL context set up once, with a nonce for
/// each text.
///
/// The caller must never use a nonce twice.
// `@unchecked`: the context belongs to this value alone, which cannot be copied, and is changed by mutating methods only;
// OpenSSL ties no context to a thread.
struct AESGCM: ~Copyable, @unchecked Sendable {
    /// The direction that a context is set up for.
    enum Direction: CInt {
        case opening = 0
        case sealing = 1
    }

    static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16

    private let context: OpaquePointer

    init(key: UnsafeRawBufferPointer, for direction: Direction) throws(ProtectionError) {
        precondition(key.count == Self.keyLength)
        guard let context = EVP_CIPHER_CTX_new() else { throw ProtectionError.cryptography(failedTo: "make a context") }
        guard let algorithm = Self.algorithm,
            EVP_CipherInit_ex2(
                context,
                algorithm,
                key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                nil,
                direction.rawValue,
                nil
            ) == 1
        else {
            EVP_CIPHER_CTX_free(context)
            throw ProtectionError.cryptography(failedTo: "set AES-256-GCM up")
        }
        self.context = context
    }

    // It clears the key.
    deinit { EVP_CIPHER_CTX_free(context) }

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
        let tag = output.baseAddress.map { $0 + text.count }
        guard process(text, nonce: nonce, authenticating: associated, into: output),
            EVP_CipherFinal_ex(context, tag?.assumingMemoryBound(to: UInt8.self), &unused) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(Self.tagLength), tag) == 1
        else { throw ProtectionError.cryptography(failedTo: "encrypt") }
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
        let text = UnsafeRawBufferPointer(rebasing: sealed.dropLast(Self.tagLength))
        precondition(output.count == text.count)
        // The library takes the tag as if it could change it, and copies it.
        let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress.map { $0 + text.count })
        guard process(text, nonce: nonce, authenticating: associated, into: output),
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(Self.tagLength), tag) == 1
        else {
            Cryptography.clear(output)
            throw ProtectionError.cryptography(failedTo: "decrypt")
        }
        var nothing: UInt8 = 0
        if EVP_CipherFinal_ex(context, &nothing, &unused) == 1 { return true }
        Cryptography.clear(output)
        return false
    }

    private mutating func process(
        _ text: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        authenticating associated: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(nonce.count == Self.nonceLength && text.count <= CInt.max && associated.count <= CInt.max)
        // -1: the direction that the context is set up for.
        guard EVP_CipherInit_ex2(context, nil, nil, nonce.bytes, -1, nil) == 1 else { return false }
        if associated.count > 0 {
            guard EVP_CipherUpdate(context, nil, &unused, associated.bytes, CInt(associated.count)) == 1 else {
                return false
            }
        }
        guard text.count > 0 else { return true }
        let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return EVP_CipherUpdate(context, start, &unused, text.bytes, CInt(text.count)) == 1
    }

    /// The number of bytes that the library wrote, which for this cipher is what it was given.
    private var unused: CInt = 0

    /// Fetched once, since looking for an algorithm takes longer than a short message.
    // `nonisolated(unsafe)`: set once, and what is fetched never changes; the library counts uses with atomics.
    nonisolated(unsafe) private static let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
#endif
