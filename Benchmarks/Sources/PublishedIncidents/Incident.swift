/// A published incident of a lost or mixed identity, reproduced twice: as it leaked, and with this package.
public struct Incident: Sendable {
    /// Reproduces the incident, and returns whose work each place ran as.
    public typealias Twin = @Sendable () async throws -> [Sighting]

    /// A public page about an incident.
    public struct Reference: Sendable {
        /// The name: the number of a vulnerability or an issue, or a title.
        public let label: String
        /// The address.
        public let address: String
    }

    /// The name for commands.
    public let name: String
    /// The fault, in a few words.
    public let title: String
    /// The pages that published it.
    public let references: [Reference]
    /// What happened, in a sentence or two.
    public let mechanism: String
    /// What to do differently.
    public let lesson: String
    /// The API of this package that prevents it.
    public let keeper: String
    /// The incident as published; it uses only the type of the users' names from this package.
    public let asPublished: Twin
    /// The same with this package; it checks the same places.
    public let withPackage: Twin

    /// All incidents.
    public static let all: [Incident] = pooled + cached + workers + handlers
}

extension Incident {
    /// The sightings of both reproductions.
    public struct Finding: Sendable {
        /// The sightings of the leaking one.
        public let asPublished: [Sighting]
        /// The sightings of the one with this package.
        public let withPackage: [Sighting]

        /// What is wrong; `nil` if it leaks as published, and does not leak with this package.
        public var problem: String? {
            if !asPublished.contains(where: \.isLeak) { return "it does not leak as it was published" }
            if let leak = withPackage.first(where: \.isLeak) { return "it leaks with the package: \(leak)" }
            let isSame =
                asPublished.map(\.place) == withPackage.map(\.place)
                && asPublished.map(\.owner) == withPackage.map(\.owner)
            return isSame ? nil : "its twins do not check the same places"
        }
    }

    /// Runs both reproductions, one after the other.
    ///
    /// - Parameter isSabotaged: Whether the published one replaces the other: a leak has to be found.
    /// - Returns: The sightings.
    /// - Throws: The error of a reproduction.
    public func actOut(sabotaged isSabotaged: Bool = false) async throws -> Finding {
        Finding(
            asPublished: try await asPublished(),
            withPackage: try await (isSabotaged ? asPublished : withPackage)()
        )
    }
}

extension Incident: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension Incident.Reference {
    /// An issue or a pull request, such as `redis/redis-py#2665`.
    static func issue(_ repository: String, _ number: Int) -> Self {
        Self(label: "\(repository)#\(number)", address: "https://github.com/\(repository)/issues/\(number)")
    }

    /// An entry of the national vulnerability database.
    static func vulnerability(_ number: String) -> Self {
        Self(label: number, address: "https://nvd.nist.gov/vuln/detail/\(number)")
    }
}
