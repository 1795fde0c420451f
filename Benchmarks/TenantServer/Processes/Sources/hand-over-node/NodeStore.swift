import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// The files of a server that hands them over, each with its owner and encrypted with that owner's key.
final class NodeStore: Sendable {
    enum Place: String, CaseIterable {
        /// Made by users, or come in.
        case stored, inbox
        /// To be handed over, handed over, or not allowed to be.
        case outbox, sent, refused
    }

    let accounts: Accounts
    private let files: IdentityFileSystem
    private let sharing: DataSharing
    private let protection: DataProtection
    private let users: [Identity]
    private let isCareless: Bool

    init(folder: String, users count: Int, isCareless: Bool) throws {
        for place in Place.allCases {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/files/\(place)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        users = try Self.users(count)
        accounts = try Self.accounts(users)
        files = try Self.files(folder)
        protection = try Self.protection(folder, accounts)
        sharing = DataSharing(protection: protection, accounts: accounts)
        self.isCareless = isCareless
    }

    static func users(_ count: Int) throws -> [Identity] {
        try (0..<count).map { try Identity("user-\($0)@contoso.com") }
    }

    static func files(_ folder: String) throws -> IdentityFileSystem {
        try IdentityFileSystem(root: "\(folder)/files", records: .automatic(indexIn: "\(folder)/owners"))
    }

    static func protection(_ folder: String, _ accounts: Accounts) throws -> DataProtection {
        let keys = try KeyFile(at: "\(folder)/keys", masterKey: MasterKey([UInt8](repeating: 7, count: 32)))
        return DataProtection(keys: keys, accounts: accounts)
    }

    /// All may share, and the first user receives from nobody.
    static func accounts(_ users: [Identity]) throws -> Accounts {
        var policies = Dictionary(uniqueKeysWithValues: users.map { ($0, Policy.everything) })
        if let first = users.first { policies[first]?.receiveFrom = .noOne }
        return Accounts(mode: .multi, policies: PolicyFeed(PolicySet(policies)))
    }

    func names(in place: Place) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(files.root)/\(place)")) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Makes each user's files, as that user, and has them in the outbox unless they were there before.
    func produce(_ name: String, files count: Int) throws {
        for (number, user) in users.enumerated() {
            for file in 0..<count {
                let item = "\(name)-\(number)-\(file).0"
                let content = Array("\(user)\n\(item)\n".utf8) + [UInt8](repeating: 7, count: file % 8 * 30_000)
                if !isThere(item, in: .stored) {
                    try withIdentity(user) {
                        try files.replace("stored/\(item)", with: protection.protect(content, for: user))
                    }
                }
                try share(item, from: .stored, as: item)
            }
        }
    }

    /// Has what came in go back, unless it has gone often enough.
    func forward(hops: Int) throws {
        for item in names(in: .inbox) {
            if let next = Self.next(after: item, hops) { try share(item, from: .inbox, as: next) }
        }
    }

    private func share(_ item: String, from place: Place, as next: String) throws {
        guard !([.outbox, .sent, .refused].contains { isThere(next, in: $0) }) else { return }
        do {
            try sharing.share("\(place)/\(item)", in: files, with: receiver(of: next), as: "outbox/\(next)", in: files)
        } catch let error as DataSharingError where error.code == .refused {
            try files.copy("\(place)/\(item)", to: "refused/\(next)")
        }
    }

    /// The user of the space that an item is to go to: the one behind its owner, and one further with each hop.
    func receiver(of item: String) throws -> Identity {
        let parts = item.split(whereSeparator: { $0 == "-" || $0 == "." }).compactMap { Int($0) }
        guard parts.count == 3 else { throw CocoaError(.fileReadInvalidFileName) }
        return users[(parts[0] + 1 + parts[2]) % users.count]
    }

    static func hop(of item: String) -> Int? { item.split(separator: ".").last.flatMap { Int($0) } }

    /// The name that an item goes back under, unless it has gone often enough.
    private static func next(after item: String, _ hops: Int) -> String? {
        guard let hop = hop(of: item), hop + 1 < hops, let base = item.split(separator: ".").first else { return nil }
        return "\(base).\(hop + 1)"
    }

    /// The owner of an item of the outbox, and what is in it.
    func content(of item: String) throws -> (Identity, [UInt8]) {
        let file = try files.open("outbox/\(item)", for: .reading)
        guard let owner = try file.owner()?.identity else { throw CocoaError(.fileReadUnknown) }
        return (owner, try protection.unprotect(file.readToEnd(), expecting: owner))
    }

    /// Stores what came in, as its owner's.
    func store(_ item: String, _ content: [UInt8], of owner: Identity) throws {
        guard Self.hop(of: item) != nil, !item.contains("/") else { throw CocoaError(.fileWriteInvalidFileName) }
        if isThere(item, in: .inbox) { return }
        let sealed = try protection.protect(content, for: owner)
        if isCareless { return try files.replace("inbox/\(item)", with: sealed) }
        try withIdentity(owner) { try files.replace("inbox/\(item)", with: sealed) }
    }

    func move(_ item: String, from place: Place, to other: Place) throws {
        try files.move("\(place)/\(item)", to: "\(other)/\(item)")
    }

    /// The number of items in each place, and of those that came in and are still to go back.
    func state(hops: Int) throws -> String {
        let gone = Set([.outbox, .sent, .refused].flatMap { names(in: $0) })
        let waiting = names(in: .inbox).count { item in Self.next(after: item, hops).map { !gone.contains($0) } ?? false
        }
        let counts = Place.allCases.map { "\($0) \(names(in: $0).count)" }
        return counts.joined(separator: "\n") + "\nwaiting \(waiting)\n"
    }

    private func isThere(_ item: String, in place: Place) -> Bool {
        FileManager.default.fileExists(atPath: "\(files.root)/\(place)/\(item)")
    }
}
