public import MultiIdentity

/// A text that is no set of policies: what is wrong with it, where, and what to do.
public struct PolicyTextError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<PolicyTextError>

    /// The line where it went wrong, from 1 on.
    public let line: Int

    /// The keys that lead to it, as `identities["ada@contoso.com"].saveTo`; empty at the top and where it is no JSON.
    public let keyPath: String

    /// A description of the failure, for people: with which value, and what to do.
    public let message: String

    init(_ code: Code, line: Int, keyPath: String = "", _ message: String) {
        self.code = code
        self.line = line
        self.keyPath = keyPath
        self.message = message
    }
}

extension ErrorCode where Failure == PolicyTextError {
    /// The text is no JSON (RFC 8259).
    public static var notJSON: Self { Self() }
    /// Objects and arrays stand in one another more often than any set of policies needs.
    public static var tooDeep: Self { Self() }
    /// A key stands twice in one object, or two services differ in case alone.
    public static var duplicateKey: Self { Self() }
    /// The key is none of those that can stand there.
    public static var unknownKey: Self { Self() }
    /// A key is missing that has to be there.
    public static var missingKey: Self { Self() }
    /// The value is of another type than it should be.
    public static var wrongType: Self { Self() }
    /// The string is none of the words that can stand there.
    public static var unknownWord: Self { Self() }
    /// The version is one that this release does not read.
    public static var unsupportedVersion: Self { Self() }
    /// The name is no identity's.
    public static var invalidIdentity: Self { Self() }
    /// An identity is there twice, perhaps in two spellings.
    public static var duplicateIdentity: Self { Self() }
    /// The name is no service's.
    public static var invalidServiceName: Self { Self() }
    /// The text is longer than a text of policies is to be.
    public static var tooLarge: Self { Self() }
}

extension PolicyTextError: CustomStringConvertible {
    /// The line, the keys that lead there, the code and the message.
    public var description: String {
        "line \(line)\(keyPath.isEmpty ? "" : ", \(keyPath)"): \(code): \(message)"
    }
}
