public import Dispatch
import Synchronization

/// Passes a value on once no other has come for some time, as swift-async-algorithms' `debounce` does.
public final class Debounce<Value: Sendable>: Sendable {
    private let queue = DispatchQueue(label: "debounce")
    private let interval: DispatchTimeInterval
    private let output: @Sendable (Value) -> Void
    private let latest = Mutex(0)

    /// - Parameters:
    ///   - interval: The time without another value.
    ///   - output: Takes what is passed on, on a queue of this.
    public init(_ interval: DispatchTimeInterval, _ output: @escaping @Sendable (Value) -> Void) {
        (self.interval, self.output) = (interval, output)
    }

    /// Takes a value, on any thread.
    public func send(_ value: Value) {
        let number = latest.withLock { latest in
            latest += 1
            return latest
        }
        queue.asyncAfter(deadline: .now() + interval) { [self] in
            if latest.withLock({ $0 == number }) { output(value) }
        }
    }
}

/// Merges what comes from several queues into one stream, as swift-async-algorithms' `merge` does.
public struct Merge<Value: Sendable>: Sendable {
    /// The values, each source's in its order; it ends once all sources have.
    public let values: AsyncStream<Value>

    /// - Parameters:
    ///   - sources: What each source has to give.
    ///   - collector: The queue on which values are put into the stream; a serial one keeps their order.
    public init(_ sources: [[Value]], on collector: DispatchQueue) {
        let (values, continuation) = AsyncStream<Value>.makeStream()
        self.values = values
        let group = DispatchGroup()
        for (number, source) in sources.enumerated() {
            DispatchQueue(label: "source \(number)").async(group: group) {
                for value in source { collector.async(group: group) { continuation.yield(value) } }
            }
        }
        group.notify(queue: collector) { continuation.finish() }
    }
}
