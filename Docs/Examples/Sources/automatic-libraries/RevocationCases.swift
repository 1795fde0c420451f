import Dispatch
import MultiIdentity

/// Rules 10.1 and 10.2, for plain calls.
enum RevocationCases {
    static func check(_ cases: inout Cases) async {
        guard let ada = try? Identity("ada-who-leaves@contoso.com") else { return }
        func whileOn(_ body: () async throws -> Void) async rethrows {
            IdentityRevocation.isOn = true
            defer {
                IdentityRevocation.readmit(ada, after: .wiped)
                IdentityRevocation.isOn = false
            }
            try await body()
        }
        await cases.check("revoked: what was handed over before runs under nobody, and is counted until then") {
            try await whileOn {
                let queue = DispatchQueue(label: "held up")
                queue.suspend()
                let found = await withCheckedContinuation { continuation in
                    withIdentity(ada) {
                        queue.async {
                            let owner = IdentityRevocation.revokedOwner?.identity
                            continuation.resume(returning: [Identity.current, owner])
                        }
                    }
                    let captured = IdentityRevocation.workInFlight(of: ada).captured
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    if captured == 0 { IdentityRevocation.readmit(ada, after: .wiped) }
                    queue.resume()
                }
                try expect(found, [.nobody, ada])
                queue.sync {}
                try expect(IdentityRevocation.workInFlight(of: ada).running, 0)
            }
        }
        await cases.check("revoked: a work item too, each time that it runs") {
            try await whileOn {
                let seen = Notes<Identity?>()
                let item = withIdentity(ada) { DispatchWorkItem { seen.add(Identity.current) } }
                item.perform()
                IdentityRevocation.revoke(ada, for: .signedOut)
                item.perform()
                DispatchQueue(label: "items").sync(execute: item)
                try expect(seen.all, [ada, .nobody, .nobody])
            }
        }
        await cases.check("revoked: what its caller waits for is a part of the caller's work, which had begun") {
            try await whileOn {
                try withIdentity(ada) {
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    try expect(DispatchQueue(label: "sync").sync { Identity.current }, ada)
                    let seen = Notes<Identity?>()
                    DispatchQueue.concurrentPerform(iterations: 64) { _ in seen.add(Identity.current) }
                    try expect(seen.all, Array(repeating: ada, count: 64))
                }
            }
        }
    }
}
