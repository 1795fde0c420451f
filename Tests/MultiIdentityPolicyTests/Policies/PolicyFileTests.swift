import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A file of policies", .rule("8.6")) struct PolicyFileTests {
    private let folder = TemporaryFolder()

    private func file() throws -> PolicyFile {
        try folder.replace("policies.json", TemporaryFolder.allowing("ada"))
        return try PolicyFile(folder / "policies.json", pollInterval: nil)
    }

    @Test("is read again as a whole") func reloaded() throws {
        let file = try file()
        #expect(file.current.allowedAccounts == [Users.named("ada")])
        try folder.replace("policies.json", TemporaryFolder.allowing("bob", "eve"))
        #expect(file.current.allowedAccounts == [Users.named("ada")], "nobody has read it yet")
        try file.reload()
        #expect(file.current.allowedAccounts == [Users.named("bob"), Users.named("eve")])
        #expect(file.problem == nil)
    }

    @Test("that is broken leaves the earlier policies in force until it is fixed") func broken() throws {
        let file = try file()
        let accounts = Accounts(mode: .multi, policies: file, levels: IdentityLevels())
        let changes = Locked(0)
        let subscription = accounts.onAllowedAccountsChange { _, _ in changes.withLock { $0 += 1 } }
        try folder.replace("policies.json", "{\"version\": 1,\n \"identities\": {\"ada\": {\"lgo\": true}}}")
        let error = expect(throws: PolicyError.Code.invalidText) { try file.reload() }
        #expect(error?.line == 2 && error?.keyPath == "identities.ada.lgo")
        let start = "\(folder / "policies.json"): invalidText: line 2, identities.ada.lgo: unknownKey: \"lgo\" "
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix(start))
        #expect(error?.message.contains("Did you mean log?") == true)
        #expect(file.problem == error)
        #expect(file.current.allowedAccounts == [Users.named("ada")])
        try folder.replace("policies.json", TemporaryFolder.allowing("ADA"))
        try file.reload()
        #expect(file.problem == nil)
        #expect(changes.withLock { $0 } == 0, "the list is what it was all the time")
        subscription.cancel()
    }

    @Test("is refused if it is missing, a folder, writable by all, a pipe or too large") func notThere() throws {
        let file = try file()
        let path = folder / "policies.json"
        let ways: [(code: PolicyError.Code, make: () throws -> Void)] = [
            (.missing, {}),
            (.missing, { try folder.link("policies.json", to: folder / "nowhere") }),
            (.notAFile, { try folder.makeFolder("policies.json") }),
            (.notAFile, { mkfifo(path, 0o600) }),
            (.unreadable, { try folder.link("policies.json", to: "policies.json") }),
            (
                .writableByAll,
                {
                    try folder.replace("policies.json", TemporaryFolder.allowing("eve"))
                    chmod(path, 0o666)
                }
            ),
            (
                .tooLarge,
                {
                    try folder.replace("policies.json", "")
                    truncate(path, off_t(PolicyFile.maximumSize) + 1)
                }
            ),
        ]
        for (code, make) in ways {
            try folder.remove("policies.json")
            try make()
            let error = #expect(throws: PolicyError.self) { try file.reload() }
            #expect(error?.code == code)
            #expect(error?.path == path)
            #expect(#expect(throws: PolicyError.self) { try PolicyFile(path) }?.code == code)
            #expect(file.current.allowedAccounts == [Users.named("ada")])
            if code == .missing, (try? FileManager.default.attributesOfItem(atPath: path)) == nil {
                try folder.makeFolder("policies.json")
            }
        }
    }

    @Test("that remains unreadable is tried again at each poll, and reported once") func toldOnce() throws {
        let reported = Locked<[PolicyError.Code]>([])
        try folder.replace("policies.json", TemporaryFolder.allowing("ada"))
        let file = try PolicyFile(folder / "policies.json", pollInterval: nil) { problem in
            reported.withLock { $0.append(problem.code) }
        }
        file.look()
        #expect(reported.withLock { $0 }.isEmpty)
        try folder.remove("policies.json")
        for _ in 0..<3 { file.look() }
        #expect(reported.withLock { $0 } == [.missing])
        try folder.link("policies.json", to: "policies.json")
        for _ in 0..<3 { file.look() }
        #expect(reported.withLock { $0 } == [.missing, .unreadable])
        try folder.replace("mended", TemporaryFolder.allowing("bob"))
        _ = rename(folder / "mended", folder / "policies.json")
        file.look()
        #expect(file.current.allowedAccounts == [Users.named("bob")])
        #expect(reported.withLock { $0.count } == 2)
    }

    @Test("shows readers one whole set, never parts of two") func whole() async throws {
        func text(_ number: Int) -> String {
            let names = (0..<20).map { "\"user\($0)-\(number)\"" }
            let policies = names.map { "\($0): {\"log\": true}" }
            return """
                {"version": 1, "allowedAccounts": [\(names.joined(separator: ", "))],
                "identities": {\(policies.joined(separator: ", "))}}
                """
        }
        try folder.replace("policies.json", text(0))
        let file = try PolicyFile(folder / "policies.json", pollInterval: nil)
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { for _ in 0..<100 { try file.reload() } }
            }
            group.addTask { for number in 1...100 { try folder.replace("policies.json", text(number)) } }
            group.addTask {
                for _ in 0..<2_000 {
                    let set = file.current
                    #expect(set.allowedAccounts == Set(set.policies.keys))
                    #expect(set.policies.count == 20)
                }
            }
            try await group.waitForAll()
        }
        try file.reload()
        #expect(file.current == (try PolicySet(json: text(100).utf8)))
    }
}
