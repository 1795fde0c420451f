import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("Who is managed") struct ManagedIdentitiesTests {
    private struct Listed: ManagedIdentities {
        let names: Set<Identity>
        func isManaged(_ identity: Identity) -> Bool { names.contains(identity) }
    }

    @Test("a program's own list is asked") func aProgramsOwnListIsAsked() throws {
        let ada = try Identity("ada@contoso.com")
        #expect(Listed(names: [ada]).isManaged(try Identity("ADA@contoso.com")))
    }
}
