import Dispatch

/// Hands over submitters, each of which hands over pieces that do nothing, on one concurrent queue.
public func handOver(submitters: Int, each handOvers: Int) {
    let queue = DispatchQueue(label: "queue", attributes: .concurrent)
    for _ in 0..<submitters { queue.async { for _ in 0..<handOvers { queue.async {} } } }
}
