import MultiIdentity
import MultiIdentityFiles
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection

/// A small program with tenants in one folder, which can be started again there: files with owners, encrypted for each, a wipe of
/// both, and a registry that has a service say who is managed.
final class TenantProgram: Sendable {
    let registry: AccountRegistry
    let keys: KeyFile
    let files: IdentityFileSystem
    private let protection: DataProtection

    /// Starts the program: policies are in force, and whoever left is revoked, before this returns.
    init(
        in folder: DatabaseFolder,
        service: ScriptedService,
        clock: SteppedClock
    ) async throws {
        let keys = try KeyFile(at: folder.path("keys"), masterKey: MasterKey([UInt8](repeating: 7, count: 32)))
        try folder.make("files")
        let files = try IdentityFileSystem(
            root: folder.path("files"),
            records: .automatic(indexIn: folder.path("owners")),
            withoutOwner: .refused
        )
        let wipe = try IdentityWipe(
            journals: folder.path("wipes"),
            accounts: EachTenant(),
            storages: [files],
            keys: keys
        ) { _ in .notRemoved }
        let feed = PolicyFeed()
        registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
            store: try SQLiteAccountStore(folder.database, clock: clock),
            service: service,
            credentials: service,
            isWorkAccount: Self.isWorkAccount,
            policies: feed,
            clock: clock
        ) { tenant in try await wipe.wipe(tenant).isComplete }
        (self.keys, self.files) = (keys, files)
        protection = DataProtection(keys: keys, accounts: EachTenant())
        try await registry.start()
    }

    private static func isWorkAccount(_ tenant: Identity) -> Bool { tenant.name.hasSuffix("@contoso.com") }

    /// Ends the program without a word to anybody, as a kill does.
    func end() { registry.abandon() }

    /// Does work of a tenant, who is registered where they are new, if their work is admitted.
    func request<Value>(of tenant: Identity, _ work: () throws -> Value) throws -> Value {
        if Self.isWorkAccount(tenant), try registry.account(tenant) == nil { try registry.register(tenant) }
        try registry.admit(tenant)
        return try withIdentity(tenant, work)
    }

    func write(_ text: String, to name: String) throws {
        let owner = try Identity.required()
        try files.replace(name, with: protection.protect(Array(text.utf8), for: owner))
    }

    /// Reads a file of the current identity's own.
    func read(_ name: String) throws -> String {
        let bytes = try files.open(name, for: .reading).readToEnd()
        return String(decoding: try protection.unprotect(bytes, expecting: .required()), as: UTF8.self)
    }

    /// Sends a file out of the organisation, if the policy of the current identity allows that.
    func send(_ name: String) throws -> String {
        try registry.accounts.decide(.sendOut, for: .current).check()
        return try read(name)
    }

    func theme(of tenant: Identity) -> String { registry.configuration(of: tenant).string("theme", .any) ?? "plain" }

    /// The rows of a part of the report that are about an account.
    func rows(_ title: String, of tenant: Identity) throws -> [String] {
        let section = try registry.report().sections.first { $0.title == title }
        return section?.rows.map { "\($0.name): \($0.value)" }.filter { $0.contains(tenant.name) } ?? []
    }
}

/// Each tenant's files are encrypted and can be wiped, managed or not.
private struct EachTenant: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
