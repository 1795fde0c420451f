package import MultiIdentity

/// The identities that tests use.
package enum Users {
    /// Returns the identity of a valid name.
    package static func named(_ name: String) -> Identity {
        do { return try Identity(name) } catch { fatalError("\(error)") }
    }

    package static let ada = named("ada@contoso.com")
    package static let bob = named("bob@contoso.com")
    package static let grace = named("grace@contoso.com")
    /// Never managed.
    package static let eve = named("eve@example.com")
}

/// The users of most tests.
package let (ada, grace) = (Users.ada, Users.grace)
