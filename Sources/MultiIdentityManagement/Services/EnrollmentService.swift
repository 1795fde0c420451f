/// A service that decides which accounts are managed, and by which policy.
///
/// Its functions run with no identity bound. A call that exceeds the registry's time limit is cancelled, and a late answer
/// is ignored. Any other error than ``EnrollmentFailure`` is a failure too.
public protocol EnrollmentService: Sendable {
    /// Enrolls an account.
    ///
    /// - Parameter credential: The account's credential.
    /// - Returns: The account's policy, as a text of a `PolicySet`; `nil` if it comes from the source of the accounts.
    /// - Throws: ``EnrollmentFailure`` with the reason why it is not enrolled.
    func enroll(_ credential: AccountCredential) async throws -> String?

    /// Checks whether the policy of an enrolled account has changed.
    ///
    /// - Parameter credential: The account's credential.
    /// - Returns: The answer.
    /// - Throws: ``EnrollmentFailure``; the earlier policy stays in force.
    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer

    /// Returns the configuration of an account; called at its enrolment and at each check of its policy.
    ///
    /// - Parameter credential: The account's credential.
    /// - Returns: A text that ``AppConfiguration/init(json:)`` reads; `nil` if there is none.
    /// - Throws: ``EnrollmentFailure``; the earlier configuration stays in force.
    func configuration(_ credential: AccountCredential) async throws -> String?

    /// Notifies the service that an account has left.
    ///
    /// - Parameter credential: The account's credential.
    /// - Throws: ``EnrollmentFailure``; the account has left anyway.
    func unenroll(_ credential: AccountCredential) async throws
}

extension EnrollmentService {
    /// Returns `nil`: there is no configuration.
    public func configuration(_ credential: AccountCredential) async throws -> String? { nil }
}

/// The answer of a service about the policy of an enrolled account.
public enum PolicyCheckAnswer: Hashable, Sendable {
    /// The policy has not changed.
    case unchanged
    /// The policy was replaced by this text, or `nil` as in enrolment; the text in force changes nothing.
    case replaced(String?)
    /// The account is no longer enrolled, for this reason: an administrator removed it, or the user has left.
    case removed(String)
}

extension PolicyCheckAnswer {
    /// Returns `.unchanged` if the service sent the text that is already in force.
    func since(_ text: String?) -> Self { text != nil && self == .replaced(text) ? .unchanged : self }
}

/// A failed request to a service: its kind, and a text without secrets.
public struct EnrollmentFailure: Error, Hashable, Sendable {
    /// The kind of failure.
    public let status: AccountEventStatus
    /// The failure in words, without secrets; the first 1,000 characters are kept.
    public let text: String

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - status: The kind of failure; a success status counts as `failed`.
    ///   - text: The failure in words, without secrets.
    public init(_ status: AccountEventStatus, _ text: String) {
        self.status = status.isSuccess ? .failed : status
        self.text = text
    }
}
