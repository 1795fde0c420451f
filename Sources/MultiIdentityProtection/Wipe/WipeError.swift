internal import MultiIdentity

/// A wipe was refused, or could not begin: what was wrong, with which value, and what to do.
///
/// Nothing was removed then.
public struct WipeError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension WipeError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unset, nobody, notManaged, inUse, ofItself, stoppedWaiting, unsafeFolder, unusableJournal, noReport
            case noSpace, systemCall, cryptographyFailed
        }

        private let kind: Kind

        /// No identity was given.
        public static let unset = Code(kind: .unset)
        /// Nobody owns what belongs to no account, and cannot be wiped.
        public static let nobody = Code(kind: .nobody)
        /// The identity is not managed, was not signed out, has no keys, and no wipe of it has begun.
        public static let notManaged = Code(kind: .notManaged)
        /// Another process, or another ``IdentityWipe``, has the identity's journal open.
        public static let inUse = Code(kind: .inUse)
        /// The wipe's own handler asked for it, and would wait for itself.
        public static let ofItself = Code(kind: .ofItself)
        /// The asking task was cancelled; the wipe goes on.
        public static let stoppedWaiting = Code(kind: .stoppedWaiting)
        /// The folder of journals is one that others can use, or own, or is none.
        public static let unsafeFolder = Code(kind: .unsafeFolder)
        /// The identity's journal may not be used: others can write it, or a later version wrote it.
        public static let unusableJournal = Code(kind: .unusableJournal)
        /// No report of a complete wipe is kept.
        public static let noReport = Code(kind: .noReport)
        /// The disk is full, and the journal cannot be begun.
        public static let noSpace = Code(kind: .noSpace)
        /// The system refused a call; the message names it.
        public static let systemCall = Code(kind: .systemCall)
        /// The cryptographic library failed, by which journals are named.
        public static let cryptographyFailed = Code(kind: .cryptographyFailed)
    }
}

extension WipeError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension WipeError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
