import Foundation
import MultiIdentity
import Synchronization

/// The events of one run, in their order, as a model takes them: a letter and three numbers.
final class Trace: Sendable {
    private struct State {
        var events: [String] = []
        var threads: [UInt] = []
        var pieces = 0
    }

    private let names: [Identity]
    private let most: Int
    private let state = Mutex(State())

    /// A trace in which identities have the numbers of their places, from 1 on.
    ///
    /// - Parameters:
    ///   - names: The identities.
    ///   - most: The largest number of pieces of work that have a number.
    init(of names: [Identity], pieces most: Int) { (self.names, self.most) = (names, most) }

    func add(_ letter: Character, _ one: Int = 0, _ two: Int = 0, _ three: Int = 0) {
        state.withLock { $0.events.append("\(letter)\(one),\(two),\(three)") }
    }

    /// Makes a piece of work known, and returns its number; `nil` where there is no number left.
    func handOver(_ identity: Int, _ how: Int) -> Int? {
        state.withLock { state in
            guard state.pieces < most else { return nil }
            state.pieces += 1
            state.events.append("H\(state.pieces - 1),\(identity),\(how)")
            return state.pieces - 1
        }
    }

    /// The number of the identity that is bound here.
    var here: Int { number(of: Identity.current) }

    /// The number of an identity; 0 for none, and 9 for nobody.
    func number(of identity: Identity?) -> Int {
        guard let identity else { return 0 }
        return identity.isNobody ? 9 : (names.firstIndex(of: identity) ?? 98) + 1
    }

    /// The number of this thread among those of the trace.
    var thread: Int {
        let this = UInt(pthread_self())
        return state.withLock { state in
            if let index = state.threads.firstIndex(of: this) { return index }
            state.threads.append(this)
            return state.threads.count - 1
        }
    }

    /// A line for a file of traces.
    var line: String { state.withLock { $0.events.joined(separator: " ") } }
}
