import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A source of managed identities") struct ManagedIdentitiesTests {
    private struct Listed: ManagedIdentities {
        let names: Set<Identity>
        func isManaged(_ identity: Identity) -> Bool { names.contains(identity) }
    }

    @Test("can be a program's own list") func aProgramsOwnListIsAsked() throws {
        let ada = try Identity("ada@contoso.com")
        #expect(Listed(names: [ada]).isManaged(try Identity("ADA@contoso.com")))
    }
}
