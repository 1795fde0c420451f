import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A watched file of policies", .rule("8.6")) struct WatchedFileTests {
    /// Once by events alone, as polling comes once an hour, and once with frequent polling.
    private static let ways: [Duration] = [.seconds(3600), .milliseconds(5)]

    private let folder = TemporaryFolder()

    private func allowed(_ names: String...) -> Set<Identity> { Set(names.map(Users.named)) }

    @Test(
        "takes effect when it is replaced by a rename, written in place, or removed and recreated",
        arguments: ways,
        [0, 1, 2]
    )
    func replaced(_ way: Duration, _ how: Int) async throws {
        try folder.replace("policies.json", TemporaryFolder.allowing("ada"))
        let accounts = Accounts(
            mode: .multi,
            policies: try PolicyFile(folder / "policies.json", pollInterval: way),
            levels: IdentityLevels()
        )
        var changes = accounts.allowedAccountsChanges.makeAsyncIterator()
        for name in ["bob", "eve", "ada"] {
            switch how {
            case 0: try folder.replace("policies.json", TemporaryFolder.allowing(name))
            case 1: try folder.overwrite("policies.json", TemporaryFolder.allowing(name))
            default:
                try folder.remove("policies.json")
                try folder.overwrite("policies.json", TemporaryFolder.allowing(name))
            }
            #expect(await changes.next()?.now == allowed(name))
        }
    }

    @Test("takes effect when a link on the way changes, as in a configuration map", arguments: ways)
    func turnedLink(_ way: Duration) async throws {
        for (version, name) in [("..1", "ada"), ("..2", "bob"), ("..3", "eve")] {
            try folder.makeFolder(version)
            try folder.replace("\(version)/policies.json", TemporaryFolder.allowing(name))
        }
        try folder.link("..data", to: "..1")
        try folder.link("policies.json", to: "..data/policies.json")
        try folder.makeFolder("elsewhere")
        try folder.link("elsewhere/policies.json", to: folder / "policies.json")
        let accounts = Accounts(
            mode: .multi,
            policies: try PolicyFile(folder / "elsewhere/policies.json", pollInterval: way),
            levels: IdentityLevels()
        )
        var changes = accounts.allowedAccountsChanges.makeAsyncIterator()
        for (version, name) in [("..2", "bob"), ("..3", "eve"), ("..1", "ada")] {
            try folder.link("..data_tmp", to: version)
            _ = rename(folder / "..data_tmp", folder / "..data")
            #expect(await changes.next()?.now == allowed(name))
        }
        // And a change in the folder that the link now points to.
        try folder.replace("..1/policies.json", TemporaryFolder.allowing("last"))
        #expect(await changes.next()?.now == allowed("last"))
    }

    @Test("reports each broken state once, as the identity that created it, and is fixed afterwards", arguments: ways)
    func broken(_ way: Duration) async throws {
        try folder.replace("policies.json", TemporaryFolder.allowing("ada"))
        let (problems, continuation) = AsyncStream<(PolicyError, Identity?)>.makeStream()
        let file = try withIdentity(Users.bob) {
            try PolicyFile(folder / "policies.json", pollInterval: way) { continuation.yield(($0, Identity.current)) }
        }
        let accounts = Accounts(mode: .multi, policies: file, levels: IdentityLevels())
        var changes = accounts.allowedAccountsChanges.makeAsyncIterator()
        var reported = problems.makeAsyncIterator()
        for text in ["{", #"{"version": 1, "allowedAccounts": 1}"#] {
            try folder.replace("policies.json", text)
            let problem = try #require(await reported.next())
            #expect(problem.0.code == .invalidText)
            #expect(problem.1 == Users.bob)
            #expect(file.problem == problem.0)
            #expect(accounts.allowedAccounts == allowed("ada"))
        }
        try folder.remove("policies.json")
        #expect(await reported.next()?.0.code == .missing)
        #expect(accounts.allowedAccounts == allowed("ada"))
        try folder.replace("policies.json", TemporaryFolder.allowing("eve"))
        #expect(await changes.next()?.now == allowed("eve"))
        #expect(file.problem == nil)
        continuation.finish()
        #expect(await reported.next() == nil, "no problem was reported twice")
    }

    @Test("is watched until it is released, and then keeps nothing open") func dropped() async throws {
        try folder.replace("policies.json", TemporaryFolder.allowing("ada"))
        let before = openDescriptors()
        for way in Self.ways {
            for _ in 0..<20 {
                let file = try PolicyFile(folder / "policies.json", pollInterval: way)
                weak let kept = file
                _ = file.current
                #expect(kept != nil)
            }
        }
        // Dispatch closes a descriptor on its own thread, some time after the source was cancelled.
        await eventually { openDescriptors() <= before + 10 }
    }
}
