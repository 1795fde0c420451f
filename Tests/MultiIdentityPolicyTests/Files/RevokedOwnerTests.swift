import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("A file of a revoked identity", .rule("13.2")) struct AFileOfAnIdentityThatIsRevoked {
    /// An identity of this test only, since it is revoked for the whole process.
    static func newcomer() throws -> Identity { try Identity("\(UUID().uuidString)@contoso.com") }

    @Test("can be neither created nor taken nor given", arguments: Keeping.allCases)
    func isNeitherMadeNorTakenNorGiven(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let identity = try Self.newcomer()
        try fixture.make("old", "old", as: identity)
        try fixture.make("bob", "bob", as: Users.bob)
        IdentityRevocation.revoke(identity, for: .signedOut)
        let before = fixture.names
        let files = fixture.files
        let attempts: [() throws -> Void] = [
            { _ = try files.open("a", for: .creating) }, { _ = try files.open("a", for: .appending) },
            { _ = try files.open("bob", for: .truncating) }, { try files.replace("bob", with: []) },
            { try files.copy("old", to: "copy") }, { try files.link("old", to: "second") },
            { try files.replace("old", with: [], keepsOwner: true) }, { try files.rewrite("old") { _, _ in } },
            { try files.setOwner(.identity(identity), of: "bob") },
        ]
        for attempt in attempts {
            withIdentity(identity) {
                do { try attempt() } catch {
                    let error = error as? IdentityFileError
                    #expect(error?.code == .revoked)
                    #expect(error?.identity == identity)
                    return
                }
                Issue.record("It was let through.")
            }
        }
        #expect(fixture.names == before)
        #expect(fixture.text("bob") == "bob")
        #expect(try files.owner(of: "bob") == .bob)
        // Reading and removing are not new work.
        #expect(try String(decoding: files.open("old", for: .reading).readToEnd(), as: UTF8.self) == "old")
        try files.remove("old")
    }

    @Test("gets no name if its owner is revoked while it is written", arguments: Keeping.allCases)
    func isNotNamedWhereItsOwnerIsRevokedWhileItIsWritten(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        let identity = try Self.newcomer()
        let code = fileErrorCode {
            try withIdentity(identity) {
                try fixture.files.replace("a") { file in
                    try file.write([1])
                    IdentityRevocation.revoke(identity, for: .signedOut)
                }
            }
        }
        #expect(code == .revoked)
        #expect(fixture.names.isEmpty)
        if keeping == .index { #expect(try !fixture.indexMentions(identity.name)) }
    }
}
