public import MultiIdentity

/// A question to the policies about the data of an identity.
public enum PolicyQuestion: Hashable, Sendable {
    /// May the identity's data be saved there?
    case save(to: DataPlace)
    /// May data from there be opened as the identity's?
    case open(from: DataPlace)
    /// May the identity's data be shared with this identity? `nil` is work without an identity.
    case share(with: Identity?)
    /// May the identity's data be logged?
    case log
    /// May the identity's data be sent out?
    case sendOut
    /// May a notification show this much of the identity's data?
    case notify(showing: NotificationContent)
    /// May other programs act for the identity, such as through a script or a shortcut?
    case automate
}

extension PolicyQuestion {
    /// The other identity in the question, such as the owner of a space or an account; `nil` if there is none.
    var otherIdentity: Identity? {
        switch self {
        case .save(let place), .open(let place): place.owner
        case .share(let other): other
        case .log, .sendOut, .notify, .automate: nil
        }
    }
}

extension PolicyQuestion: CustomStringConvertible {
    /// The question in words that follow "may", such as `save to local storage`.
    public var description: String {
        switch self {
        case .save(let place): "save to \(place)"
        case .open(let place): "open from \(place)"
        case .share(let identity): "share with \(identity?.description ?? "work without an identity")"
        case .log: "log its data"
        case .sendOut: "send its data out"
        case .notify(.everything): "have its data shown in notifications"
        case .notify(.withoutDetails): "have notifications that show none of its data"
        case .notify(.nothing): "go without notifications"
        case .automate: "have other programs act for it"
        }
    }
}
