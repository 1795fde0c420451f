import Dispatch
import MultiIdentity
import MultiIdentityInterposition
import Testing

extension AutomaticMode {
    @Suite("a plain call of somebody who is revoked") struct RevocationTests {
        private let ada: Identity

        init() throws { ada = try Identity("ada-\(UInt64.random(in: 0 ... .max))@contoso.com") }

        private func whileOn(_ body: (Identity) async throws -> Void) async rethrows {
            IdentityRevocation.isOn = true
            defer {
                IdentityRevocation.readmit(ada, after: .wiped)
                IdentityRevocation.isOn = false
            }
            try await body(ada)
        }

        @Test("runs under nobody where it was handed over before, can tell, and is counted until then", .rule("10.1"))
        func handedOver() async {
            await whileOn { ada in
                let queue = DispatchQueue(label: "held up")
                queue.suspend()
                let found = await withCheckedContinuation { continuation in
                    withIdentity(ada) {
                        queue.async {
                            let owner = IdentityRevocation.revokedOwner?.identity
                            continuation.resume(returning: (Identity.current, owner))
                        }
                    }
                    #expect(IdentityRevocation.workInFlight(of: ada).captured >= 1)
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    queue.resume()
                }
                #expect(found.0 == .nobody)
                #expect(found.1 == ada)
                queue.sync {}
                #expect(IdentityRevocation.workInFlight(of: ada).running == 0)
            }
        }

        @Test("of a work item too, each time that it runs", .rule("10.1"))
        func items() async {
            await whileOn { ada in
                let seen = Locked<[Identity?]>()
                let item = withIdentity(ada) { DispatchWorkItem { seen.append(Identity.current) } }
                item.perform()
                IdentityRevocation.revoke(ada, for: .signedOut)
                item.perform()
                DispatchQueue(label: "items").sync(execute: item)
                #expect(seen.all == [ada, .nobody, .nobody])
            }
        }

        @Test("that its caller waits for is a part of the caller's work, which had begun", .rule("10.2"))
        func awaited() async {
            await whileOn { ada in
                withIdentity(ada) {
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    #expect(DispatchQueue(label: "sync").sync { Identity.current } == ada)
                    let seen = Locked<[Identity?]>()
                    DispatchQueue.concurrentPerform(iterations: 64) { _ in seen.append(Identity.current) }
                    #expect(seen.all.count == 64)
                    #expect(seen.all.allSatisfy { $0 == ada })
                }
            }
        }
    }
}

/// Values that work on any thread wrote down.
private final class Locked<Values: RangeReplaceableCollection>: @unchecked Sendable where Values.Element: Sendable {
    // `@unchecked Sendable`: the values are touched under the lock alone.
    private var values = Values()
    private let lock = DispatchSemaphore(value: 1)

    func append(_ value: Values.Element) {
        lock.wait()
        values.append(value)
        lock.signal()
    }

    var all: Values {
        lock.wait()
        defer { lock.signal() }
        return values
    }
}
