import MultiIdentity

/// The participating users.
enum Users {
    static let ada = user("ada@contoso.com")
    static let bea = user("bea@contoso.com")

    static func user(_ name: String) -> Identity {
        do { return try Identity(name) } catch { preconditionFailure("\(error)") }
    }
}
