import MultiIdentity

/// One way to hand work over, run a number of times.
struct HopCase: Sendable {
    /// `boundary/way`: the way is `raw`, `handwritten`, `carried`, or `carried-unbound`.
    let name: String
    let run: @Sendable (_ hops: Int) -> Void

    /// Whether an identity is bound around the calls.
    var isBound: Bool { name.hasSuffix("/handwritten") || name.hasSuffix("/carried") }

    init(_ name: String, run: @escaping @Sendable (_ hops: Int) -> Void) {
        self.name = name
        self.run = run
    }

    static let all = queueCases + itemCases + scopeCases + operationCases
}

/// What every closure captures: one reference.
///
/// `@unchecked Sendable`: touched by one serial queue at a time, which orders the accesses.
final class Counter: @unchecked Sendable {
    var value = 0
}

/// What people write by hand: a task-local read at the call, and bound again in the closure.
enum Handwritten {
    final class User: Sendable {
        let name: String
        init(name: String) { self.name = name }
    }

    @TaskLocal static var user: User?
}
