// Mistakes with the carried types, each with the expected compiler message (.ci/check-mistakes), and after them correct code.
import Dispatch
import MultiIdentity

func wait() async {}
func fail() throws {}

func mistaken(_ queue: IdentityQueue, _ group: DispatchGroup, isMain: Bool) {
    queue.async { await wait() }  // expected-error {{cannot await or throw: start a task or catch}}
    queue.async { try fail() }  // expected-error {{cannot await or throw}}
    queue.async(group: group) { try fail() }  // expected-error {{invalid conversion from throwing function}}
    queue.asyncAfter(deadline: .now()) { try fail() }  // expected-error {{invalid conversion from throwing function}}
    queue.async(flags: .barrer) {}  // expected-error {{has no member 'barrer'}}
    IdentityQueue.main.async { await wait() }  // expected-error {{cannot await or throw}}
    group.propagatingIdentity.notify(queue: .main) { try fail() }  // expected-error {{cannot await or throw}}
    _ = queue === queue  // expected-error {{compare by ==}}
    let _: IdentityQueue = .main  // expected-error {{use DispatchQueue.main.propagatingIdentity}}
    _ = isMain ? .main : queue  // expected-error {{use DispatchQueue.main.propagatingIdentity}}
}

func right(_ queue: IdentityQueue, _ group: DispatchGroup, isMain: Bool, _ work: @escaping @Sendable () -> Void) {
    queue.async {}
    queue.async(execute: work)
    queue.async(group: group, flags: .barrier) {}
    queue.async { Task { await wait() } }
    IdentityQueue.main.async { MainActor.assertIsolated() }
    group.propagatingIdentity.notify(queue: .main) {}
    _ = isMain ? DispatchQueue.main.propagatingIdentity : queue
}
