/// What both twins of an incident did.
public struct IncidentFinding: Sendable {
    /// What was acted out.
    public let incident: Incident
    /// What the twin that leaks saw.
    public let asPublished: [Sighting]
    /// What the one with this package saw.
    public let withPackage: [Sighting]

    /// Whether it leaks as it was published.
    public var leaksAsPublished: Bool { asPublished.contains(where: \.isLeak) }
    /// Whether it leaks with this package.
    public var leaksWithPackage: Bool { withPackage.contains(where: \.isLeak) }
    /// Whether both twins looked at the same places, at one at least.
    public var looksAtTheSame: Bool {
        !asPublished.isEmpty && asPublished.map(\.place) == withPackage.map(\.place)
            && asPublished.map(\.owner) == withPackage.map(\.owner)
    }
    /// Whether it leaks as it was published, and does not with this package.
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
