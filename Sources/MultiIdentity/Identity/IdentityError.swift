/// An error of this package: what went wrong, with which value, and what to do.
public struct IdentityError: CodedError {
    /// The code of what went wrong, to match on.
    public let code: ErrorCode<IdentityError>

    /// The message for people: what was tried, with which value, and what to do.
    public let message: String

    /// The place in the name where the rule was broken, in UTF-8 bytes from its start; `nil` for an error about no name.
    public let utf8Offset: Int?

    /// The revoked owner of the refused work; `nil` if the code is not `.revoked`.
    public let revokedOwner: RevokedOwner?

    package init(_ code: Code, _ message: String, utf8Offset: Int? = nil, revokedOwner: RevokedOwner? = nil) {
        self.code = code
        self.message = message
        self.utf8Offset = utf8Offset
        self.revokedOwner = revokedOwner
    }
}

extension ErrorCode where Failure == IdentityError {
    /// The name was empty. (Nobody is ``Identity/nobody``, not an empty name.)
    public static var emptyName: Self { Self() }
    /// The name had more than 1,024 UTF-8 bytes.
    public static var nameTooLong: Self { Self() }
    /// The name had a control character.
    public static var controlCharacter: Self { Self() }
    /// The name had a line break.
    public static var lineBreak: Self { Self() }
    /// The name began or ended with white space.
    public static var surroundingWhiteSpace: Self { Self() }
    /// The bytes of the name were not UTF-8.
    public static var invalidUTF8: Self { Self() }
    /// ``Identity/nobody`` cannot act for an identity, and no identity can act for it.
    public static var invalidActor: Self { Self() }
    /// There were more actors than ``IdentityActor/maximumCount``.
    public static var tooManyActors: Self { Self() }
    /// An identity was required, and the thread level was unset.
    public static var noIdentity: Self { Self() }
    /// An identity was required, and the bound one was inferred and must not decide (``IdentityInference``).
    public static var inferredIdentity: Self { Self() }
    /// The Swift runtime that the program runs with is not known (``IdentityCompanions/carryAll(_:)``).
    public static var unknownRuntime: Self { Self() }
    /// All task-locals are carried already (``IdentityCompanions/carryAll(_:)``).
    public static var policyAlreadySet: Self { Self() }
    /// Work was refused, because its identity is revoked, or is an alias of an account (``IdentityError/revokedOwner``).
    public static var revoked: Self { Self() }
}
