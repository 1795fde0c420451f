import Dispatch
import MultiIdentity

/// Hands over work of several users with queues, groups, timers, `sync` and tasks, and throws if one runs as another.
@Sendable public func handOverForSeveral() async throws {
    let wrong = Log<String>()
    @Sendable func expect(_ identity: Identity?, _ place: String) {
        if Identity.current != identity { wrong.add("\(place): \(String(describing: Identity.current))") }
    }
    let serial = IdentityQueue(label: "serial")
    let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    for name in ["ada", "bo", nil] {
        let user = try name.map { try Identity("\($0)@example.com") }
        withIdentity(user) {
            group.enter()
            concurrent.async {
                expect(user, "async")
                serial.sync { expect(user, "sync") }
                serial.async(group: group) {
                    expect(user, "group")
                    concurrent.asyncAfter(deadline: .now() + .seconds(60)) {
                        expect(user, "after")
                        group.leave()
                    }
                }
                expect(user, "async, later")
                concurrent.async(flags: .barrier) { expect(user, "barrier") }
            }
            group.propagatingIdentity.notify(queue: serial) { expect(user, "notify") }
        }
    }
    let eve = try Identity("eve@example.com")
    await withIdentity(eve) {
        await withCheckedContinuation { continuation in
            concurrent.async { continuation.resume() }
        }
        expect(eve, "task")
        async let child = Identity.current
        let seen = await child
        if seen != eve { wrong.add("child: \(String(describing: seen))") }
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: serial.base) { continuation.resume() }
    }
    if let first = wrong.all.first { throw Wrong(first) }
}
