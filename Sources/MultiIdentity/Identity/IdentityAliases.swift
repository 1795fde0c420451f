import Synchronization

/// Names that stand for accounts besides their own, for as long as this lives: an identity made of one is the account's.
///
/// A name is resolved where an identity is made of it, so that whatever comes in under it is the account's: a claim, a
/// policy, the owner of a file. What was made before stays an identity of its own (``Identity/formerIdentities``).
package final class IdentityAliases: Sendable {
    private let names = Locked<[Identity: Set<NameKey>]>([:])

    package init() {}

    deinit { for (account, keys) in names.withLock({ $0 }) { AliasTable.shared.remove(keys, of: account.spelling) } }

    /// Has these names stand for an account, and no others of those that this had stand for it.
    ///
    /// A name that another one has stand for another account is nobody's alias: it stays a name of its own.
    ///
    /// - Parameters:
    ///   - names: The names; an empty one, and the account's own, stand for nothing.
    ///   - account: The account.
    package func set(_ names: some Sequence<String>, of account: Identity) {
        let keys = Set(names.map { NameKey($0) }).subtracting([.none, account.spelling.record.key])
        self.names.withLock { accounts in
            let before = accounts.removeValue(forKey: account) ?? []
            if !keys.isEmpty { accounts[account] = keys }
            AliasTable.shared.add(keys.subtracting(before), of: account.spelling)
            AliasTable.shared.remove(before.subtracting(keys), of: account.spelling)
        }
    }

    /// Returns whether this has names stand for an account.
    package func has(_ account: Identity) -> Bool { names.withLock { $0[account] != nil } }
}

extension Identity {
    /// Indicates whether another name stands for this one.
    package var hasAliases: Bool { !AliasTable.shared.names(of: spelling.record).isEmpty }

    /// This identity, and those that were made under its other names before these stood for it.
    package var underEachName: [Identity] { [self] + formerIdentities }

    /// The identities that were made of this account's aliases before those stood for it, as far as they live.
    ///
    /// They are the same account, which `==` cannot tell.
    ///
    /// - Complexity: O(1) where the process has no aliases; else O(*n*) in those of the account.
    package var formerIdentities: [Identity] {
        AliasTable.shared.names(of: spelling.record).compactMap { key in
            guard let record = IdentityRegistry.shared.living(key), record !== spelling.record else { return nil }
            return Identity(spelling: IdentitySpelling(name: key.form, record: record))
        }
    }
}

/// The aliases of a process.
///
/// Split into shards by the alias, so that requests on many threads seldom wait for one another; a process without any
/// pays one load.
final class AliasTable: Sendable {
    static let shared = AliasTable()

    /// The accounts that a name was said to stand for: it does where they are one.
    private typealias Accounts = [IdentitySpelling]

    private let shards = (0..<64).map { _ in Locked<[NameKey: Accounts]>([:]) }
    /// The names of each account that has some, by its record, which the shards keep alive.
    private let names = Locked<[ObjectIdentifier: [NameKey]]>([:])
    private let count = Atomic<Int>(0)

    /// The account that a name stands for; `nil` where it is no alias.
    func account(of key: NameKey) -> IdentitySpelling? {
        if count.load(ordering: .relaxed) == 0 { return nil }
        return shard(of: key).withLock { aliases in
            guard let accounts = aliases[key], let first = accounts.first else { return nil }
            return accounts.allSatisfy { $0.record === first.record } ? first : nil
        }
    }

    /// The names that stand for the account of a record, each once, however many say so.
    func names(of record: IdentityRecord) -> Set<NameKey> {
        if count.load(ordering: .relaxed) == 0 { return [] }
        let keys = names.withLock { $0[ObjectIdentifier(record)] ?? [] }
        return Set(keys).filter { account(of: $0)?.record === record }
    }

    func add(_ keys: Set<NameKey>, of account: IdentitySpelling) {
        for key in keys {
            count.add(1, ordering: .relaxed)
            names.withLock { $0[ObjectIdentifier(account.record), default: []].append(key) }
            shard(of: key).withLock { $0[key, default: []].append(account) }
        }
    }

    func remove(_ keys: Set<NameKey>, of account: IdentitySpelling) {
        for key in keys {
            shard(of: key).withLock { aliases in
                guard let index = aliases[key]?.firstIndex(where: { $0.record === account.record }) else { return }
                aliases[key]?.remove(at: index)
                if aliases[key]?.isEmpty == true { aliases[key] = nil }
            }
            names.withLock { names in
                let record = ObjectIdentifier(account.record)
                guard let index = names[record]?.firstIndex(of: key) else { return }
                names[record]?.remove(at: index)
                if names[record]?.isEmpty == true { names[record] = nil }
            }
            count.subtract(1, ordering: .relaxed)
        }
    }

    private func shard(of key: NameKey) -> Locked<[NameKey: Accounts]> {
        shards[Int(UInt(bitPattern: key.hashOfForm) % UInt(shards.count))]
    }
}
