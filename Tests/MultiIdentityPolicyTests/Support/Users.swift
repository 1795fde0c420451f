import MultiIdentity

/// The identities that the tests of policies speak of.
enum Users {
    /// The identity of a name that is one.
    static func named(_ name: String) -> Identity {
        do { return try Identity(name) } catch { fatalError("\(error)") }
    }

    static let ada = named("ada@contoso.com")
    static let bob = named("bob@contoso.com")
    /// Never managed.
    static let eve = named("eve@example.com")
}
