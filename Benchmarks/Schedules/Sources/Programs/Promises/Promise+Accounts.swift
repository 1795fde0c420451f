import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics

extension Promise {
    static let accounts = [
        Promise("accounts have each piece of work and each scope once, for its own identity", pieces)
    ]

    private static func pieces(_ findings: Findings) async throws {
        // The same in each schedule, since only so many have accounts.
        let users = [try Identity("ada.accounts@example.com"), try Identity("bo.accounts@example.com")]
        func counts() -> [UInt64] {
            let rows = IdentityAccounts.snapshot().rows
            return users.flatMap { user in
                [true, false].map { isScope in
                    rows.filter { $0.holder == .identity(user) && ($0.boundary == nil) == isScope }.reduce(0) {
                        $0 + $1.pieces
                    }
                }
            }
        }
        IdentityAccounts.isOn = true
        defer { IdentityAccounts.isOn = false }
        let (group, before) = (DispatchGroup(), counts())
        let queues = [
            IdentityQueue(label: "serial"), IdentityQueue(label: "fair", attributes: .concurrent, draining: .fairly()),
        ]
        for (user, other) in zip(users, users.reversed()) {
            withIdentity(user) {
                for queue in queues {
                    for _ in 0..<2 {
                        queue.async(group: group) {
                            letOthersGoOn()
                            withIdentity(other) { letOthersGoOn() }
                        }
                    }
                }
            }
        }
        await end(of: group)
        let found = zip(counts(), before).map { $0 - $1 }
        // Each has a scope that hands over, four in the other's work, and four pieces of work.
        findings.expect(found == [5, 4, 5, 4], "scopes and pieces of each are \(found)")
    }
}
