public import MultiIdentity

/// An error of an account, a place, a switch or a policy text.
public struct PolicyError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<PolicyError>

    /// The failure in words: what was tried, with which value, and what to do.
    public let message: String

    /// The account that the error is about; `nil` for none.
    public let identity: Identity?

    /// The path of the file that the error is about, as given; `nil` for none.
    public let path: String?

    /// The line of the error in the text, starting at 1; `nil` if there is no text.
    public let line: Int?

    /// The keys that lead to the error, such as `identities["ada@contoso.com"].saveTo`; empty at the top level and for
    /// invalid JSON.
    public let keyPath: String

    /// The decision that refused the operation; `nil` for other errors.
    public let decision: PolicyDecision?

    init(_ code: Code, of identity: Identity? = nil, path: String? = nil, _ message: String) {
        self.code = code
        self.message = message
        self.identity = identity
        self.path = path
        (line, keyPath, decision) = (nil, "", nil)
    }

    init(refusedBy decision: PolicyDecision) {
        code = .refused
        message = decision.reasonAndRule
        identity = decision.identity
        (path, line, keyPath) = (nil, nil, "")
        self.decision = decision
    }

    /// Creates the error of a policy text, or of a file with it.
    init(_ error: PolicyTextError, path: String? = nil) {
        code = error.code == .tooLarge ? .tooLarge : .invalidText
        message = error.description
        identity = nil
        self.path = path
        (line, keyPath, decision) = (error.line, error.keyPath, nil)
    }
}

extension ErrorCode where Failure == PolicyError {
    /// Nobody is not an account: it cannot be enrolled, has no space, and is never used to reach a place.
    package static var nobody: Self { Self() }
    /// Another user is enrolled, and only one can be managed at a time.
    public static var anotherIsEnrolled: Self { Self() }
    /// The account to unenroll is not enrolled.
    package static var notEnrolled: Self { Self() }
    /// The source has neither a policy for the account nor a default one.
    public static var noPolicy: Self { Self() }
    /// The account is not on the list of allowed accounts, or a policy refuses it.
    public static var notAllowed: Self { Self() }
    /// The identity was signed out or is being wiped; its new work is refused.
    public static var revoked: Self { Self() }

    /// A policy, or a rule for all identities, refused the operation: ``PolicyError/decision``.
    public static var refused: Self { Self() }

    /// The text is not a service name.
    package static var invalidServiceName: Self { Self() }
    /// An account was given for a place that takes none, such as local storage.
    package static var takesNoAccount: Self { Self() }

    /// The file does not exist.
    public static var missing: Self { Self() }
    /// The system refused to open or read the file.
    package static var unreadable: Self { Self() }
    /// The path names a folder, a pipe or a device.
    package static var notAFile: Self { Self() }
    /// Everyone on the machine can write the file, and so set the policies.
    package static var writableByAll: Self { Self() }
    /// The file is larger than ``PolicyFile/maximumSize``.
    package static var tooLarge: Self { Self() }
    /// The file changed during every attempt to read it.
    package static var beingWritten: Self { Self() }
    /// The text is not a set of policies; see ``PolicyError/line`` and ``PolicyError/keyPath``.
    public static var invalidText: Self { Self() }
}

extension PolicyError: CustomStringConvertible {
    /// The path of the file if there is one, the code and the message.
    public var description: String { "\(path.map { "\($0): " } ?? "")\(code): \(message)" }
}
