import MultiIdentity

/// Shares a sequence among consumers with a task that the first consumer starts, as libraries do.
final class FirstComeShare<Base: AsyncSequence & Sendable>: Sendable where Base.Element == Void, Base.Failure == Never {
    private let base: Base
    private let pump = Locked<Task<Void, Never>?>(nil)
    private let (elements, output) = AsyncStream<Void>.makeStream()

    init(_ base: Base) { self.base = base }

    /// Takes one element.
    func next() async {
        pump.withLock { pump in
            pump =
                pump
                ?? Task { [base, output] in
                    for await _ in base { output.yield() }
                    output.finish()
                }
        }
        for await _ in elements { break }
    }
}
