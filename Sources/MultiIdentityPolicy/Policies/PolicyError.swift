public import MultiIdentity

/// An account, a place, a switch or a text of policies that cannot be: what was wrong, with which value, and what to do.
public struct PolicyError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<PolicyError>

    /// A description of the failure, for people: what was tried, with which value, and what to do.
    public let message: String

    /// The account that it was about; `nil` where it was about none.
    public let identity: Identity?

    /// The path of the file that it is about, as it was given; `nil` for none.
    public let path: String?

    /// The line of the text where it went wrong, from 1 on; `nil` where it was about no text.
    public let line: Int?

    /// The keys that lead to it there, as `identities["ada@contoso.com"].saveTo`; empty at the top and where it is no JSON.
    public let keyPath: String

    /// The decision that refused something, if that was it: about whom, by which rule and why.
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

    /// What is wrong with a text of policies, or with a file of it.
    init(_ error: PolicyTextError, path: String? = nil) {
        code = error.code == .tooLarge ? .tooLarge : .invalidText
        message = error.description
        identity = nil
        self.path = path
        (line, keyPath, decision) = (error.line, error.keyPath, nil)
    }
}

extension ErrorCode where Failure == PolicyError {
    /// Nobody is no account: it cannot be enrolled, has no space, and no place is reached with it.
    public static var nobody: Self { Self() }
    /// Another user is enrolled already, and one is managed at a time.
    public static var anotherIsEnrolled: Self { Self() }
    /// The account that should leave is not enrolled.
    public static var notEnrolled: Self { Self() }
    /// The source has neither a policy for the account nor a default one.
    public static var noPolicy: Self { Self() }
    /// The list of allowed accounts does not have it, or the policy refuses it otherwise.
    public static var notAllowed: Self { Self() }
    /// The identity was signed out or is being wiped, and gets no new work.
    public static var revoked: Self { Self() }

    /// A policy, or a rule that holds for all, refused it: ``PolicyError/decision``.
    public static var refused: Self { Self() }

    /// The text is no service's name.
    public static var invalidServiceName: Self { Self() }
    /// An account was given for a place that has none, as local storage.
    public static var takesNoAccount: Self { Self() }

    /// There is no file.
    public static var missing: Self { Self() }
    /// The system refused to open or to read it.
    public static var unreadable: Self { Self() }
    /// It is a folder, a pipe, a device.
    public static var notAFile: Self { Self() }
    /// Anybody on the machine may write it, and so set the policies.
    public static var writableByAll: Self { Self() }
    /// It has more bytes than ``PolicyFile/maximumSize``.
    public static var tooLarge: Self { Self() }
    /// It changed each time while it was being read.
    public static var beingWritten: Self { Self() }
    /// Its text is no set of policies; ``PolicyError/line`` and ``PolicyError/keyPath`` say where.
    public static var invalidText: Self { Self() }
}

extension PolicyError: CustomStringConvertible {
    /// The path of the file, if it is about one, the code and the message.
    public var description: String { "\(path.map { "\($0): " } ?? "")\(code): \(message)" }
}
