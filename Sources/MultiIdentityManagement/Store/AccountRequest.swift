/// The kind of a request that an event ends.
public enum AccountRequest: String, Hashable, Sendable, CaseIterable {
    /// The service was asked to enroll the account, or the provider for a credential to do so.
    case enrolment
    /// The service was asked for the policy of an enrolled account.
    case policyCheck
    /// The service was notified that it is not to have the account enrolled.
    case unenrolment
    /// The account's data were wiped.
    case wipe

    init(of record: AccountRecord) {
        self =
            switch record.stage {
            case .registered: .enrolment
            case .enrolled: .policyCheck
            case .leaving: .unenrolment
            case .wiping: .wipe
            }
    }
}
