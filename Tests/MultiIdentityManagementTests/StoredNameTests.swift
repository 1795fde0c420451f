import Foundation
import MultiIdentity
import MultiIdentityCarriers
import MultiIdentityFiles
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("Data stored under a name that became an alias") struct StoredNameTests {
    typealias Read = @Sendable () async throws -> Identity?

    /// A format that names an identity.
    struct Format: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Writes as an identity, and returns a closure that reads the owner in another process.
        let write: @Sendable (Identity, DatabaseFolder) async throws -> Read

        init(_ name: String, _ write: @escaping @Sendable (Identity, DatabaseFolder) async throws -> Read) {
            testDescription = name
            self.write = write
        }
    }

    @Test("is read as it was written", .rule("15.12"), arguments: formats)
    func isReadAsItWasWritten(_ format: Format) async throws {
        let folder = try DatabaseFolder()
        let name = Users.named("Oid-\(UUID())")
        let read = try await format.write(name, folder)
        let names = AccountNames()
        names.add(name, to: RegistryScene.account())
        let found = try await read()
        #expect(found == name && found?.name == name.name)
        IdentityRevocation.readmit(name, after: .wiped)
    }

    static let formats: [Format] = [
        Format("Codable") { name, _ in
            let text = try JSONEncoder().encode([name])
            return { try JSONDecoder().decode([Identity].self, from: text).first }
        },
        Format("a row of SQLite") { name, folder in
            try SQLiteAccountStore(folder.path("db")).transaction { (transaction) throws(ManagementError) in
                try transaction.put(AccountRecord(name, .enrolled))
            }
            return {
                try SQLiteAccountStore(folder.path("db")).reading { (transaction) throws(ManagementError) in
                    try transaction.accounts(nil).first?.identity
                }
            }
        },
        Format("an event in SQLite") { name, folder in
            let event = AccountEvent(name, .enrolled, "", at: WallInstant(milliseconds: 0), from: "another")
            try SQLiteAccountStore(folder.path("db")).transaction { (transaction) throws(ManagementError) in
                _ = try transaction.add(event)
            }
            return {
                try SQLiteAccountStore(folder.path("db")).reading { (transaction) throws(ManagementError) in
                    try transaction.events(after: 0, limit: 1).first?.identity
                }
            }
        },
        Format("a key") { name, folder in
            let key = try keys(folder).currentKey(for: name)
            return {
                _ = try keys(folder).key(key.id, of: name)
                return try keys(folder).keyIDs().keys.first
            }
        },
        Format("encrypted data") { name, folder in
            let accounts = Accounts(
                mode: .multi,
                policies: PolicyFeed(PolicySet([name: .nothing])),
                levels: IdentityLevels()
            )
            let sealed = try DataProtection(keys: keys(folder), accounts: accounts).protect([1, 2], for: name)
            return {
                let protection = try DataProtection(keys: keys(folder), accounts: accounts)
                #expect(try protection.unprotect(sealed, expecting: name) == [1, 2])
                return try protection.protectionInfo(sealed)?.owner
            }
        },
        Format("the report of a wipe") { name, folder in
            let feed = PolicyFeed(PolicySet([name: .nothing]))
            @Sendable func wipe() throws -> IdentityWipe {
                try IdentityWipe(
                    journals: folder.path("wipes"),
                    accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
                    storages: [Obstinate(gives: Locked(true))]
                ) { _ in .notRemoved }
            }
            let report = try await wipe().wipe(name)
            #expect(report.isComplete)
            return { try await wipe().status().first { $0.state == .complete }?.identity }
        },
        owner("an owner in an attribute") { _ in .attributes },
        owner("an owner in an index") { .index(in: $0.path("index")) },
        owner("an owner in an index that was written anew", rewriting: true) { .index(in: $0.path("index")) },
        Format("an audit line") { name, folder in
            try AuditFile(folder.path("audit")).record(AuditEvent(.registry, of: name, because: "it was registered"))
            return {
                let line = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder.path("audit"))))
                return try ((line as? [String: Any])?["identity"] as? String).map { try Identity($0) }
            }
        },
        Format("baggage") { name, _ in
            let value = try IdentityBaggage.standard.headerValue(for: name)
            return {
                let claim = try IdentityBaggage.standard.claim(in: [#require(value)])
                return try claim?.verified(by: .trustedPeer("a peer", because: "the test says so"))
            }
        },
        Format("an account's own settings") { name, folder in
            let scene = try await RegistryScene(store: try SQLiteAccountStore(folder.path("db"))).enrolled(name)
            try scene.registry.overrideSettings(of: name) { $0.authority = "its own" }
            return {
                let other = scene.restarted().registry
                #expect(try other.settings(of: name).authority == "its own")
                return try other.account(name)?.identity
            }
        },
        Format("policies") { name, _ in
            { try PolicySet(json: Array(#"{"version": 1, "identities": {"\#(name)": {}}}"#.utf8)).policies.keys.first }
        },
        Format("the journal of a wipe") { name, folder in
            let feed = PolicyFeed(PolicySet([name: .nothing]))
            let isWhole = Locked(false)
            @Sendable func wipe() throws -> IdentityWipe {
                try IdentityWipe(
                    journals: folder.path("wipes"),
                    accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
                    storages: [Obstinate(gives: isWhole)]
                ) { _ in .notRemoved }
            }
            let report = try await wipe().wipe(name)
            #expect(!report.isComplete)
            return {
                isWhole.withLock { $0 = true }
                let statuses = try await wipe().resume()
                #expect(statuses.count == 1 && statuses.first?.state == .complete)
                return statuses.first?.identity
            }
        },
    ]

    private static func keys(_ folder: DatabaseFolder) throws -> KeyFile {
        try KeyFile(at: folder.path("keys"), masterKey: MasterKey(Array(0..<32)))
    }

    private static func owner(
        _ description: String,
        rewriting: Bool = false,
        _ records: @escaping @Sendable (DatabaseFolder) -> OwnerRecords
    ) -> Format {
        Format(description) { name, folder in
            try FileManager.default.createDirectory(atPath: folder.path("root"), withIntermediateDirectories: false)
            @Sendable func files() throws -> IdentityFileSystem {
                try IdentityFileSystem(root: folder.path("root"), records: records(folder))
            }
            try withIdentity(name) { try files().replace("file", with: [1]) }
            if rewriting {
                try files().replace("gone", with: [1])
                try files().remove("gone")
                _ = try files().repair()
            }
            return { try files().owner(of: "file")?.identity }
        }
    }
}

/// A storage that releases nothing until it is asked to.
private struct Obstinate: WipedStorage {
    let gives: Locked<Bool>
    let storageName = "obstinate"

    init(gives: Locked<Bool>) { self.gives = gives }

    func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {}

    func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        if !gives.withLock({ $0 }) { throw WipeFailure(storageName, because: "it does not give way") }
    }
}
