/// A published incident of lost or mixed identity, with a twin that leaks as it did and one that keeps identities apart.
public struct Incident: Sendable {
    /// A twin: acts the incident out, and says whom each place in it worked for.
    public typealias Twin = @Sendable () async throws -> [Sighting]

    /// The name, as commands and tests take it.
    public let name: String
    /// The fault, in a few words.
    public let title: String
    /// The first sign of it.
    public let symptom: String
    /// The means that kept the identity that was lost.
    public let kind: Kind
    /// Where it was published.
    public let references: [Reference]
    /// The course of it, in a sentence or two.
    public let mechanism: String
    /// The stand-in for something that a twin of a few lines cannot have, as a database; `nil` where nothing does.
    public let model: String?
    /// The thing to do differently.
    public let lesson: String
    /// The means of this package that keeps it.
    public let keeper: Keeper
    /// The incident as it was published, with nothing of this package but the type of the users' names.
    public let asPublished: Twin
    /// The same with this package: it looks at the same places.
    public let withPackage: Twin
}

extension Incident {
    /// The means that kept the identity.
    public enum Kind: String, Sendable, CaseIterable {
        case pooled = "Pooled things"
        case cached = "Caches and batches"
        case workers = "Workers and threads"
        case messages = "Messages and loops"
        case longLived = "Long-lived things"
        case closures = "Closures and globals"
    }

    /// A public page about an incident.
    public struct Reference: Sendable {
        /// Its name: a number of a vulnerability, an issue, a title.
        public let label: String
        /// Its address.
        public let address: String

        init(_ label: String, _ address: String) {
            self.label = label
            self.address = address
        }
    }

    /// The means of this package that keeps identities apart where they were mixed.
    public struct Keeper: Sendable {
        /// Its name in code, or a few words.
        public let name: String
        /// Where a reader finds the recipe, seen from the folder of the documents.
        public let recipe: String

        init(_ name: String, see recipe: String) {
            self.name = name
            self.recipe = recipe
        }
    }

    /// All incidents, by kind.
    public static let all: [Incident] = pooled + cached + workers + messages + longLived + closures
}

extension Incident: CustomStringConvertible {
    /// Its name.
    public var description: String { name }
}

extension Incident.Reference {
    /// An issue or a pull request, as `redis/redis-py#2665`.
    static func issue(_ repository: String, _ number: Int) -> Self {
        Self("\(repository)#\(number)", "https://github.com/\(repository)/issues/\(number)")
    }

    /// An entry of the national vulnerability database.
    static func vulnerability(_ number: String) -> Self { Self(number, "https://nvd.nist.gov/vuln/detail/\(number)") }
}
