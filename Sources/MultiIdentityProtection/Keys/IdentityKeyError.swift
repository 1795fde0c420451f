import MultiIdentity

/// A key cannot be had, made or destroyed: what is wrong, with which value, and what to do.
///
/// It never holds a secret.
public struct IdentityKeyError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people.
    public let message: String

    /// Says what went wrong, as a provider of keys of a program's own does.
    ///
    /// - Parameters:
    ///   - code: What went wrong, for code to match on.
    ///   - message: What went wrong, for people: what was tried, with which value, and what to do; no secret.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: CryptographyError) {
        self.init(.cryptographyFailed, "A key cannot be handled, since \(error).")
    }

    init(_ error: IdentityRevokedError) {
        self.init(
            .revoked,
            "\(error.identity) is signed out or being wiped, and gets no key; sign the account in again first."
        )
    }

    static func unknown(_ id: IdentityKeyID, of identity: Identity) -> IdentityKeyError {
        IdentityKeyError(
            .unknownKey,
            "There is no key \(id) of \(identity); the data were protected with other keys, or the key's id was altered."
        )
    }

    static func destroyed(_ id: IdentityKeyID, of identity: Identity) -> IdentityKeyError {
        IdentityKeyError(
            .destroyedKey,
            "The key \(id) was destroyed, and the data of \(identity) that it protects are lost for good."
        )
    }
}

extension IdentityKeyError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unknownKey, destroyedKey, revoked, unavailable, invalidKey, invalidMasterKey, wrongMasterKey
            case unsafeFile, damagedFile, rolledBack, futureVersion, nobody, systemCall, cryptographyFailed
        }

        private let kind: Kind

        /// The identity has no key of this id.
        public static let unknownKey = Code(kind: .unknownKey)
        /// The key was destroyed; what it protects is lost.
        public static let destroyedKey = Code(kind: .destroyedKey)
        /// The identity is revoked, and gets no key to protect with.
        public static let revoked = Code(kind: .revoked)
        /// The keys cannot be reached now; later they may.
        public static let unavailable = Code(kind: .unavailable)
        /// A key has the wrong length.
        public static let invalidKey = Code(kind: .invalidKey)
        /// What should be a master key is none: missing, of the wrong length, or not hexadecimal or base64.
        public static let invalidMasterKey = Code(kind: .invalidMasterKey)
        /// The key file was written under another master key.
        public static let wrongMasterKey = Code(kind: .wrongMasterKey)
        /// A file of keys is one that others can read, own or replace, or is no regular file.
        public static let unsafeFile = Code(kind: .unsafeFile)
        /// The key file is not what was written: altered, cut off or mixed.
        public static let damagedFile = Code(kind: .damagedFile)
        /// The key file is older than one that this process has seen, or is gone.
        public static let rolledBack = Code(kind: .rolledBack)
        /// The key file was written by a later version of this package.
        public static let futureVersion = Code(kind: .futureVersion)
        /// Nobody has no keys.
        public static let nobody = Code(kind: .nobody)
        /// The system refused to read or write; the message names the call.
        public static let systemCall = Code(kind: .systemCall)
        /// The cryptographic library failed.
        public static let cryptographyFailed = Code(kind: .cryptographyFailed)
    }
}

extension IdentityKeyError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension IdentityKeyError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
