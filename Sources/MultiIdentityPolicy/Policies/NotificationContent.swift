/// The content of a notification about an identity's data; each shows more than the one before.
public enum NotificationContent: Hashable, Sendable, CaseIterable, Comparable {
    /// Nothing: no notification is made.
    case nothing
    /// The fact that there is something, without any of the data.
    case withoutDetails
    /// All of it.
    case everything
}

extension NotificationContent {
    /// The same in words that end a sentence about a policy.
    var inWords: String {
        switch self {
        case .nothing: "nothing, since it has none"
        case .withoutDetails: "none of its data"
        case .everything: "all of its data"
        }
    }
}

extension NotificationContent: CustomStringConvertible {
    /// As it stands in a file of policies: `nothing`, `withoutDetails` or `everything`.
    public var description: String {
        switch self {
        case .nothing: "nothing"
        case .withoutDetails: "withoutDetails"
        case .everything: "everything"
        }
    }
}
