/// The doings of both twins of an incident.
public struct IncidentFinding: Sendable {
    /// The incident that was acted out.
    public let incident: Incident
    /// The places that the leaking twin saw.
    public let asPublished: [Sighting]
    /// The places that the one with this package saw.
    public let withPackage: [Sighting]

    /// True if it leaks as it was published.
    public var leaksAsPublished: Bool { asPublished.contains(where: \.isLeak) }
    /// True if it leaks with this package.
    public var leaksWithPackage: Bool { withPackage.contains(where: \.isLeak) }
    /// True if both twins looked at the same places, at one at least.
    public var looksAtTheSame: Bool {
        !asPublished.isEmpty && asPublished.map(\.place) == withPackage.map(\.place)
            && asPublished.map(\.owner) == withPackage.map(\.owner)
    }
    /// True if it leaks as it was published, and does not with this package.
    public var isKept: Bool { leaksAsPublished && !leaksWithPackage && looksAtTheSame }
}

extension Incident {
    /// Acts both twins out, one after the other.
    ///
    /// - Parameter isSabotaged: Whether the published twin takes the other one's place: a leak has to be found.
    /// - Returns: What they saw.
    /// - Throws: What a twin throws that could not be acted out.
    public func actOut(sabotaged isSabotaged: Bool = false) async throws -> IncidentFinding {
        IncidentFinding(
            incident: self,
            asPublished: try await asPublished(),
            withPackage: try await (isSabotaged ? asPublished : withPackage)()
        )
    }
}
