/// The part of an identity's data that a notification shows; each case shows more than the one before.
public enum NotificationContent: Hashable, Sendable, CaseIterable, Comparable {
    /// Nothing: no notification is shown.
    case nothing
    /// The fact that there is something, without any data.
    case withoutDetails
    /// All of the data.
    case everything
}

extension NotificationContent {
    /// The case in words, as the end of a sentence about a policy.
    var inWords: String {
        switch self {
        case .nothing: "nothing, since it has none"
        case .withoutDetails: "none of its data"
        case .everything: "all of its data"
        }
    }
}

extension NotificationContent: CustomStringConvertible {
    /// The case as written in a policy file: `nothing`, `withoutDetails` or `everything`.
    public var description: String {
        switch self {
        case .nothing: "nothing"
        case .withoutDetails: "withoutDetails"
        case .everything: "everything"
        }
    }
}
