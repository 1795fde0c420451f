import Dispatch
import MultiIdentity
import Synchronization

// The programs know nothing of what runs them.

/// A balance from which two withdraw at once, each reading in one piece of work and writing in another.
@Sendable func withdrawingInTwoPieces() async throws {
    try await withdraw { balance, group in
        let queue = DispatchQueue.global()
        queue.async(group: group) {
            let seen = balance.withLock { $0 }
            queue.async(group: group) { balance.withLock { $0 = seen - 10 } }
        }
    }
}

/// The same in one piece.
@Sendable func withdrawingInOnePiece() async throws {
    try await withdraw { balance, group in
        DispatchQueue.global().async(group: group) { balance.withLock { $0 -= 10 } }
    }
}

private func withdraw(_ withdraw: (Balance, DispatchGroup) -> Void) async throws {
    let (balance, group) = (Balance(), DispatchGroup())
    for _ in 0..<2 { withdraw(balance, group) }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
    let left = balance.withLock { $0 }
    if left != 80 { throw Wrong("\(left) are left") }
}

/// An account with 100, whose lock is never held across a hand-over.
private final class Balance: Sendable {
    private let value = Mutex(100)

    func withLock<Value: Sendable>(_ body: (inout sending Int) -> sending Value) -> Value { value.withLock(body) }
}

/// Hands work of several users over, and throws where one runs as another; the timers' minutes are virtual.
@Sendable func handOverForSeveral() async throws {
    let wrong = Mutex<[String]>([])
    let one = IdentityQueue(label: "one", attributes: .concurrent)
    let (serial, group) = (IdentityQueue(label: "serial"), DispatchGroup())
    @Sendable func expect(_ identity: Identity?, _ place: String) {
        if Identity.current != identity { wrong.withLock { $0.append("\(place): \(identity?.name ?? "unset")") } }
    }
    for name in ["ada", "bo", nil] {
        let user = try name.map { try Identity("\($0)@example.com") }
        withIdentity(user) {
            group.enter()
            one.async(group: group) {
                expect(user, "async")
                serial.sync { expect(user, "sync") }
                one.asyncAfter(deadline: .now() + .seconds(60)) {
                    expect(user, "after")
                    group.leave()
                }
                expect(user, "async, later")
            }
            group.propagatingIdentity.notify(queue: serial) { expect(user, "notify") }
        }
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
    if let first = wrong.withLock(\.first) { throw Wrong(first) }
}

/// Hands one piece over plainly, which loses the identity.
@Sendable func handOverPlainly() async throws {
    let ada = try Identity("ada@example.com")
    let seen = await withIdentity(ada) {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Identity.current) }
        }
    }
    if seen != ada { throw Wrong("async") }
}
