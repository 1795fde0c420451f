/// One hand-over on the way from the scope that bound an identity to where it is asked for.
public struct IdentityHop: Hashable, Sendable {
    /// The boundary at which the work was handed over.
    public let boundary: IdentityBoundary
    /// The name of what it was handed to, as a queue's label; `nil` where that has none.
    public let place: String?
    /// The place of the call; `nil` where the boundary has no room to say, as an override of `addOperation`.
    public let site: BindingSite?
    /// The time of the capture.
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
