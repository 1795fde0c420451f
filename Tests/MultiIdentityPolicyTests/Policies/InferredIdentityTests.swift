import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import Testing

/// Each runs in a separate process, since the use of inferred identities is a setting of the process.
@Suite("An inferred identity for display only", .rule("4.14")) struct InferredIdentityTests {
    /// Runs `work` with nothing bound around it, as automatic mode runs what `identity` handed over.
    private static func asInferred(_ identity: Identity, _ work: () throws -> Void) throws {
        IdentityInference.effect = .isOnlyShown
        let word = withIdentity(identity) { CapturedWord.captured(at: { .async }, of: { nil }) }
        var result: Result<Void, any Error>?
        CapturedWord.run(word, at: { .async }) { result = Result(catching: work) }
        try #require(result).get()
    }

    @Test("owns no new file, and reads and keeps existing ones as their owner's") func files() async {
        await #expect(processExitsWith: .success) {
            let fixture = try OwnedRoot(.index, with: ["bob": Users.bob], text: "bob")
            let files = fixture.files
            let attempts: [() throws -> Void] = [
                { _ = try files.open("a", for: .creating) }, { _ = try files.open("bob", for: .truncating) },
                { try files.replace("a", with: []) }, { try files.replace("bob", with: []) },
            ]
            try Self.asInferred(Users.ada) {
                for attempt in attempts { #expect(fileErrorCode(attempt) == .inferredOwner) }
                #expect(try String(decoding: files.open("bob", for: .reading).readToEnd(), as: UTF8.self) == "bob")
                try files.replace("bob", with: [], keepsOwner: true)
                try withIdentity(Users.ada) { try files.replace("ada", with: []) }
            }
            #expect(fixture.names == ["ada", "bob"])
            #expect(try files.owner(of: "ada") == .ada)
            #expect(try files.owner(of: "bob") == .bob)
        }
    }

    @Test("is allowed nothing by policy, neither by its own name nor as nobody")
    func policies() async {
        await #expect(processExitsWith: .success) {
            let feed = PolicyFeed(PolicySet([Users.ada: .everything]))
            let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
            try Self.asInferred(Users.ada) {
                for identity in [Users.ada, .nobody, nil] {
                    let decision = accounts.decide(.log, for: identity)
                    #expect(!decision.isAllowed)
                    #expect(decision.rule == .inferred)
                    #expect(decision.description.contains("automatic mode inferred it"))
                }
                // An identity that a caller names was not inferred.
                #expect(accounts.decide(.log, for: Users.bob).isAllowed)
                #expect(withIdentity(Users.ada) { accounts.decide(.log, for: Users.ada) }.isAllowed)
            }
        }
    }
}
