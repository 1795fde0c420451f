import MultiIdentity
import MultiIdentityFiles
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection

/// A small multi-tenant program in one folder, where it can be started again.
///
/// It has encrypted files with owners, a wipe of files and keys, and a registry whose service says who is managed.
final class TenantProgram: Sendable {
    let registry: AccountRegistry
    let keys: KeyFile
    let files: IdentityFileSystem
    private let protection: DataProtection

    /// Starts the program: when this returns, policies are in force, and accounts that left are revoked.
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

    /// Ends the program without notice, as a kill does.
    func end() { registry.abandon() }

    /// Does work of a tenant if the work is admitted; a new tenant is registered first.
    func request<Value>(of tenant: Identity, _ work: () throws -> Value) throws -> Value {
        if Self.isWorkAccount(tenant), try registry.account(tenant) == nil { try registry.register(tenant) }
        try registry.admit(tenant)
        return try withIdentity(tenant, work)
    }

    func write(_ text: String, to name: String) throws {
        let owner = try Identity.required()
        try files.replace(name, with: protection.protect(Array(text.utf8), for: owner))
    }

    /// Reads a file of the current identity.
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

    /// Returns the rows about an account in one section of the report.
    func rows(_ title: String, of tenant: Identity) throws -> [String] {
        let section = try registry.report().sections.first { $0.title == title }
        return section?.rows.map { "\($0.name): \($0.value)" }.filter { $0.contains(tenant.name) } ?? []
    }
}

/// Every tenant's files are encrypted and can be wiped, whether managed or not.
private struct EachTenant: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
