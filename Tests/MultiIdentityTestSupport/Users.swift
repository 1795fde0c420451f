package import MultiIdentity

/// The identities that tests speak of.
package enum Users {
    /// The identity of a name that is one.
    package static func named(_ name: String) -> Identity {
        do { return try Identity(name) } catch { fatalError("\(error)") }
    }

    package static let ada = named("ada@contoso.com")
    package static let bob = named("bob@contoso.com")
    package static let grace = named("grace@contoso.com")
    /// Never managed.
    package static let eve = named("eve@example.com")
}

/// Those whom most tests are about.
package let (ada, grace) = (Users.ada, Users.grace)
