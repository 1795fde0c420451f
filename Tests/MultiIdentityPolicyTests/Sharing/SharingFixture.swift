import Foundation
import MultiIdentity

@testable import MultiIdentityFiles
@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

/// Ada and Bob, both managed, with an outbox between their files, and the events of an auditor.
struct SharingFixture {
    let auditor = Auditor()
    let feed: PolicyFeed
    let accounts: Accounts
    let keys = KeysInMemory()
    let sharing: DataSharing

    init(ada: Policy = .everything, bob: Policy = .everything) throws {
        feed = PolicyFeed(PolicySet([Users.ada: ada, Users.bob: bob]))
        accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels(), audit: auditor)
        // The same key in each process, and segments so small that a text has several.
        let bytes = [UInt8](repeating: 7, count: 32)
        if let id = IdentityKeyID(bytes: bytes.prefix(16)) {
            keys.add(try IdentityKey(id: id, secret: bytes), of: Users.ada)
        }
        let protection = DataProtection(keys: keys, accounts: accounts, segmentSize: .kibibytes4)
        sharing = DataSharing(protection: protection, accounts: accounts)
    }

    static let text = ProtectionFixture.text(10_000)

    /// Returns the error that a body throws, or `nil`.
    static func error(_ body: () throws(ProtectionError) -> Void) -> ProtectionError? {
        do throws(ProtectionError) {
            try body()
            return nil
        } catch { return error }
    }
}

/// Whose policy keeps Ada's data from Bob: hers or his.
enum Forbidding: CaseIterable {
    case giver, receiver

    func publish(to feed: PolicyFeed) {
        switch self {
        case .giver: feed.publish(PolicySet([Users.ada: .nothing, Users.bob: .everything]))
        case .receiver: feed.publish(PolicySet([Users.ada: .everything, Users.bob: .nothing]))
        }
    }

    var policyOwner: Identity { self == .giver ? Users.ada : Users.bob }
}
