/// A service that knows which accounts are to be managed, and by which policy.
///
/// Its functions run with nothing bound. One that takes longer than the registry's limit is cancelled, and what it
/// answers after that is passed over. An error other than ``EnrollmentFailure`` counts as a failure as well.
public protocol EnrollmentService: Sendable {
    /// Enrolls an account.
    ///
    /// - Parameter credential: Whom to enroll.
    /// - Returns: The account's policy.
    /// - Throws: ``EnrollmentFailure``, which says why it is not enrolled.
    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy

    /// Asks whether an enrolled account has another policy now.
    ///
    /// - Parameter credential: The account.
    /// - Returns: The answer.
    /// - Throws: ``EnrollmentFailure``; the policy before stays in force.
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer

    /// Asks for the configuration of an account: with its enrolment, and with each check of its policy.
    ///
    /// - Parameter credential: The account.
    /// - Returns: A text that ``AppConfiguration/init(json:)`` reads; `nil` where it has none.
    /// - Throws: ``EnrollmentFailure``; the configuration before stays in force.
    func configuration(_ credential: AccountCredential) async throws -> String?

    /// Takes note that an account has left.
    ///
    /// - Parameter credential: The account.
    /// - Throws: ``EnrollmentFailure``; the account has left all the same.
    func unenroll(_ credential: AccountCredential) async throws
}

extension EnrollmentService {
    /// Has no configuration for anybody.
    public func configuration(_ credential: AccountCredential) async throws -> String? { nil }
}

/// The policy that an account is enrolled with.
public enum EnrolledPolicy: Hashable, Sendable {
    /// The one that the program's source of policies has.
    case fromSource
    /// A set of policies in the text of `MultiIdentityPolicy`, of which the account's own one counts, else the standard one.
    case text(String)
}

/// The answer of a service about the policy of an enrolled account.
public enum PolicyCheckAnswer: Hashable, Sendable {
    /// It is what it was.
    case unchanged
    /// It is another one; where its text is the one in force, nothing has changed.
    case replaced(EnrolledPolicy)
    /// The account is not enrolled any more: an administrator removed it, or the user has left.
    case removed(String)
}

extension PolicyCheckAnswer {
    /// The answer of a service that may send the text that is in force.
    func since(_ text: String?) -> Self { text.map { self == .replaced(.text($0)) } == true ? .unchanged : self }
}

/// A request to a service failed: the kind, and a text for people without secrets.
public struct EnrollmentFailure: Error, Hashable, Sendable {
    /// The kind of failure.
    public let status: AccountEventStatus
    /// A description for people, without secrets; its first 1,000 characters are kept.
    public let text: String

    /// A failure.
    ///
    /// - Parameters:
    ///   - status: The kind of failure; one that is a success counts as `failed`.
    ///   - text: A description for people, without secrets.
    public init(_ status: AccountEventStatus, _ text: String) {
        self.status = status.isSuccess ? .failed : status
        self.text = text
    }
}
