public import MultiIdentity

/// One hand-over between the scope that bound an identity and the code that asks for it.
public struct IdentityHop: Hashable, Sendable, CustomStringConvertible {
    /// The boundary at which the work was handed over.
    public let boundary: IdentityBoundary
    /// The name of the target, such as a queue's label; `nil` if it has none.
    public let place: String?
    /// The place of the call; `nil` if the boundary cannot pass it, such as an override of `addOperation` or a plugin's call.
    public let site: BindingSite?
    /// The time of the capture.
    public let time: ContinuousClock.Instant
    /// `async on "mail", captured at App/Mail.swift:40`.
    public let description: String

    init(_ hop: KeptHop) {
        (boundary, place, site) = (hop.boundary, hop.place, hop.site.flatMap(BindingSite.init))
        (time, description) = (hop.time.instant, hop.description)
    }
}

/// A place in the source: where a scope was opened, or where work was handed over.
public struct BindingSite: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: String
    /// The line, from 1.
    public let line: UInt

    package init?(_ site: CallSite) {
        if site.isGenerated { return nil }
        (fileID, line) = ("\(site.fileID)", site.line)
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
