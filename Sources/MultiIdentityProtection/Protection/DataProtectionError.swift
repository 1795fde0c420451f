/// Data cannot be protected, or are not what was protected: what is wrong, with which value, and what to do.
///
/// It never holds a secret, nor any of the data.
public struct DataProtectionError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people.
    public let message: String

    /// What the provider of keys said, where it could not give the key.
    public let keyError: IdentityKeyError?

    init(_ code: Code, _ message: String, keyError: IdentityKeyError? = nil) {
        self.code = code
        self.message = message
        self.keyError = keyError
    }
}

extension DataProtectionError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case malformedHeader, futureVersion, tampered, truncated, wrongKey, unknownKey, destroyedKey, keyUnavailable
            case revoked, claimsManagedIdentity, notProtected, notEncrypted, otherOwner, tooLarge, finished
            case cryptographyFailed, systemCall, unsuitableFile
        }

        private let kind: Kind

        /// The header is none that this package writes.
        public static let malformedHeader = Code(kind: .malformedHeader)
        /// The data were protected by a later version of this package.
        public static let futureVersion = Code(kind: .futureVersion)
        /// The data are not what was protected: bytes were changed, moved, removed or added.
        public static let tampered = Code(kind: .tampered)
        /// The data's end is missing, or something was added behind it.
        public static let truncated = Code(kind: .truncated)
        /// The key of this id is not the one that the data were protected with.
        public static let wrongKey = Code(kind: .wrongKey)
        /// The owner has no key of this id.
        public static let unknownKey = Code(kind: .unknownKey)
        /// The key was destroyed, and the data are lost.
        public static let destroyedKey = Code(kind: .destroyedKey)
        /// The key could not be had for another reason; ``DataProtectionError/keyError`` says which.
        public static let keyUnavailable = Code(kind: .keyUnavailable)
        /// Nothing new is protected for a revoked identity.
        public static let revoked = Code(kind: .revoked)
        /// Plain data claim to be a managed identity's, whose data are always encrypted.
        public static let claimsManagedIdentity = Code(kind: .claimsManagedIdentity)
        /// The data were never protected, where a protected form was expected.
        public static let notProtected = Code(kind: .notProtected)
        /// The data only claim an owner, where encrypted data were expected.
        public static let notEncrypted = Code(kind: .notEncrypted)
        /// The data are encrypted for another identity than the one expected.
        public static let otherOwner = Code(kind: .otherOwner)
        /// There are more data than one message can hold.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The stream failed before, and takes no more.
        public static let finished = Code(kind: .finished)
        /// The cryptographic library failed.
        public static let cryptographyFailed = Code(kind: .cryptographyFailed)
        /// The system refused to read or write a file; the message names the call.
        public static let systemCall = Code(kind: .systemCall)
        /// The file is none that can be protected so: not regular, or changed meanwhile.
        public static let unsuitableFile = Code(kind: .unsuitableFile)
    }
}

extension DataProtectionError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension DataProtectionError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
