/// One hand-over on the way from the scope that bound an identity to where it is asked for.
public struct IdentityHop: Hashable, Sendable {
    /// How the work was handed over.
    public let boundary: IdentityBoundary
    /// What it was handed to, as a queue's label, where that has a name.
    public let place: String?
    /// Where the call stands; `nil` where the boundary has no room to say, as an override of `addOperation`.
    public let site: BindingSite?
    /// When it was captured.
    public let time: ContinuousClock.Instant
}

extension IdentityHop: CustomStringConvertible {
    /// `async on "mail", captured at App/Mail.swift:40`.
    public var description: String {
        var text = boundary.name
        if let place { text += " on \"\(EscapedText(place))\"" }
        if let site { text += ", captured at \(site)" }
        return text
    }
}
