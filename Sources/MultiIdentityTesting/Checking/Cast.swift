import MultiIdentity

/// The identities in a check; their names are their roles, so that a violation is easy to read.
struct Cast: Sendable {
    /// Spelled so that a boundary that normalizes names is noticed.
    let caller: Identity
    let creator: Identity
    let hander: Identity
    let worker: Identity
    let stranger: Identity
    let many: [Identity]

    init() throws {
        caller = try Identity("The-Caller@boundary.test")
        creator = try Identity("creator@boundary.test")
        hander = try Identity("hander@boundary.test")
        worker = try Identity("worker@boundary.test")
        stranger = try Identity("stranger@boundary.test")
        many = try (1...8).map { try Identity("caller-\($0)@boundary.test") }
    }

    /// Returns an identity that no other check has: a revocation applies to the whole process.
    static func leaver() throws -> Identity {
        try Identity("leaver-\(UInt64.random(in: 0 ... .max))@boundary.test")
    }

    /// The three values that a thread level can have.
    var callers: [Identity?] { [caller, .nobody, nil] }
}
