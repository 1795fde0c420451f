import Dispatch

/// Hands over submitters, each of which hands over work items of work, on one concurrent queue.
public func handOver(submitters: Int, each handOvers: Int, _ work: @escaping @Sendable () -> Void = {}) {
    let queue = DispatchQueue(label: "queue", attributes: .concurrent)
    for _ in 0..<submitters { queue.async { for _ in 0..<handOvers { queue.async(execute: work) } } }
}
