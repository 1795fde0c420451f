public import MultiIdentity

/// A file operation that was refused or failed: what was tried, on which path, and what to do.
public struct IdentityFileError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// The path that was given, below the root; empty for an error about the root or the records.
    public let path: String

    /// What went wrong, for people: what was tried, with which value, and what to do.
    public let message: String

    /// What the system said, where it refused a call.
    public let systemError: SystemCallError?

    /// Whose work was refused, where ``code`` is ``Code/revoked``.
    public let identity: Identity?

    init(
        _ code: Code,
        _ path: String,
        _ message: String,
        systemError: SystemCallError? = nil,
        identity: Identity? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.systemError = systemError
        self.identity = identity
    }
}

extension IdentityFileError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case invalidPath, outsideRoot, notFound, alreadyExists, notAFile, noOwner, revoked, damagedOwner
            case inferredOwner, newerOwner, attributesUnsupported, noSpace, notPermitted, crossesFileSystems,
                changedMeanwhile
            case invalidIndex, indexInUse, systemCall
        }

        private let kind: Kind

        /// The path is empty, absolute, has `..` or a NUL in it, is too long, or ends in a name of our temporary files.
        public static let invalidPath = Code(kind: .invalidPath)
        /// The path leads out of the root by a symbolic link, or in circles.
        public static let outsideRoot = Code(kind: .outsideRoot)
        /// There is no such file, or a directory on the way to it is missing.
        public static let notFound = Code(kind: .notFound)
        /// Something has the name already.
        public static let alreadyExists = Code(kind: .alreadyExists)
        /// It is a directory, a symbolic link, a pipe or a device: only files have owners.
        public static let notAFile = Code(kind: .notAFile)
        /// The work has no identity, and work without one is refused here.
        public static let noOwner = Code(kind: .noOwner)
        /// Whoever would own the file was inferred by automatic mode and is only shown (`IdentityInference`).
        public static let inferredOwner = Code(kind: .inferredOwner)
        /// Whoever would own the file is revoked; ``IdentityFileError/identity`` says who.
        public static let revoked = Code(kind: .revoked)
        /// The recorded owner is damaged, or uncertain, since a later record is: it is nobody's name.
        public static let damagedOwner = Code(kind: .damagedOwner)
        /// The owner was recorded by a later version of this package.
        public static let newerOwner = Code(kind: .newerOwner)
        /// The file system keeps no extended attributes, and owners are to be kept there.
        public static let attributesUnsupported = Code(kind: .attributesUnsupported)
        /// The disk, or what may be used of it, is full.
        public static let noSpace = Code(kind: .noSpace)
        /// The process may not do that.
        public static let notPermitted = Code(kind: .notPermitted)
        /// A directory cannot be moved to another file system, or below another root.
        public static let crossesFileSystems = Code(kind: .crossesFileSystems)
        /// Somebody changed the file's owner while it was copied.
        public static let changedMeanwhile = Code(kind: .changedMeanwhile)
        /// The index of owners cannot be used: not ours alone, of a later version, no index, or below the root.
        public static let invalidIndex = Code(kind: .invalidIndex)
        /// Another file system of this process or another has the index open.
        public static let indexInUse = Code(kind: .indexInUse)
        /// The system refused a call for another reason; ``IdentityFileError/systemError`` says which.
        public static let systemCall = Code(kind: .systemCall)
    }
}

extension IdentityFileError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension IdentityFileError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
