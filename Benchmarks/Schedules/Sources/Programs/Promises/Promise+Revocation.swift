import Dispatch
import MultiIdentity

extension Promise {
    static let revocation = [
        Promise("nothing of somebody's goes on once that is drained", drain),
        Promise("what was handed over before a revocation is nobody's, in the next life too", lives),
        Promise("a revocation calls each handler once, of a revoked name", handlers),
        Promise("what is dropped does not begin, and all else does", dropping),
    ]

    private static func drain(_ findings: Findings) async throws {
        IdentityRevocation.isOn = true
        let (ada, group, isDrained) = (try account("ada"), DispatchGroup(), Count())
        @Sendable func effect(_ place: String) {
            findings.expect(Identity.current != ada || !isDrained.isSet, "\(place) goes on after the drain")
        }
        @Sendable func work(_ place: String) {
            let isHers = Identity.current == ada
            effect(place)
            for _ in 0..<2 { letOthersGoOn() }
            effect(place)
            if isHers { findings.expect(ada, "\(place), which has begun,") }
        }
        let queue = IdentityQueue(label: "work", attributes: .concurrent)
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        for _ in 0..<2 { group.enter() }
        // A scope belongs to the name in its current life: this one begins before the revocation.
        await withCheckedContinuation { begun in
            Task {
                await withIdentity(ada) {
                    begun.resume()
                    work("a scope")
                    await Task.yield()
                    work("a scope, after a suspension,")
                }
                group.leave()
            }
        }
        withIdentity(ada) {
            queue.async(group: group) { work("boxed work") }
            queue.async(group: group, qos: .utility) { work("work with a QoS") }
            Task.propagatingIdentity.detached {
                work("a detached task")
                await Task.yield()
                work("a detached task, after a suspension,")
                group.leave()
            }
        }
        queue.base.async(group: group) { snapshot.restore { work("restored work") } }
        await Task.yield()
        IdentityRevocation.revoke(ada, for: .signedOut)
        let left = await IdentityRevocation.drain(ada, timeout: .seconds(1))
        findings.expect(left.isDrained, "after a second \(left.running) still run")
        isDrained.set()
        await end(of: group)
    }

    private static func lives(_ findings: Findings) async throws {
        IdentityRevocation.isOn = true
        let (ada, group, isRevoked) = (try account("ada"), DispatchGroup(), Count())
        let (hasBegun, isReadmitted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        @Sendable func work(_ place: String) {
            findings.expect(Identity.current != ada || !isRevoked.isSet, "\(place) begins as who was revoked")
        }
        let queue = IdentityQueue(label: "work", attributes: .concurrent)
        withIdentity(ada) {
            queue.async(group: group) {
                hasBegun.signal()
                isReadmitted.wait()
                findings.expect(ada, "work that began before the revocation")
                queue.async(group: group) { work("what old work hands over") }
                queue.async(group: group, qos: .utility) { work("what old work hands over with a QoS") }
                queue.async(group: group, execute: DispatchWorkItem.propagatingIdentity { work("an old item") })
            }
        }
        IdentityQueue.global().async(group: group) {
            hasBegun.wait()
            withIdentity(ada) {
                queue.async(group: group) { work("boxed work") }
                queue.async(group: group, qos: .utility) { work("work with a QoS") }
            }
            IdentityRevocation.revoke(ada, for: .signedOut)
            isRevoked.set()
            letOthersGoOn()
            IdentityRevocation.readmit(ada)
            withIdentity(ada) { queue.async(group: group) { findings.expect(ada, "work of the next life") } }
            isReadmitted.signal()
        }
        await end(of: group)
    }

    private static func handlers(_ findings: Findings) async throws {
        let (ada, bo, group) = (try account("ada"), try account("bo"), DispatchGroup())
        let (calls, registrations) = (Log<String>(), Log<RevocationRegistration>())
        let queue = IdentityQueue(label: "admin", attributes: .concurrent)
        for name in ["one", "other"] {
            queue.async(group: group) {
                withIdentity(bo) {
                    let registration = IdentityRevocation.onRevocation(of: ada) {
                        findings.expect(bo, "a handler")
                        findings.expect(IdentityRevocation.isRevoked(ada), "a handler is called before the revocation")
                        calls.add(name)
                        letOthersGoOn()
                    }
                    registrations.add(registration)
                }
            }
            queue.async(group: group) { IdentityRevocation.revoke(ada, for: .signedOut) }
        }
        await end(of: group)
        findings.expect(calls.all.sorted() == ["one", "other"], "handlers were called: \(calls.all)")
    }

    private static func dropping(_ findings: Findings) async throws {
        IdentityRevocation.isOn = true
        let (ada, group, ran, dropped) = (try account("ada"), DispatchGroup(), Count(), Count())
        let queue = IdentityQueue(label: "mail")
        withIdentity(ada) {
            for _ in 0..<2 {
                let work = IdentityRevocation.dropping {
                    findings.expect(ada, "work that would be dropped")
                    ran.add()
                } onRevocation: { owner in
                    findings.expect(owner.identity == ada, "\(owner.identity)'s work is dropped")
                    dropped.add()
                }
                queue.async(group: group, execute: work)
            }
        }
        IdentityQueue.global().async(group: group) { IdentityRevocation.revoke(ada, for: .signedOut) }
        await end(of: group)
        findings.expect(ran.value + dropped.value == 2, "\(ran.value) ran and \(dropped.value) were dropped, of 2")
    }
}
