import Dispatch

@testable import MultiIdentity

/// Everything that one place shows to code there, and to any task that is started there.
struct WholeLook: Sendable, Equatable, CustomStringConvertible {
    let agree: Bool
    let current: Identity?
    let stored: Identity?
    let inTask: Identity?

    init() {
        let look = Look()
        (agree, stored, current) = (look.agree, look.identity, Identity.current)
        let (seen, isSeen) = (Locked<Identity?>(nil), DispatchSemaphore(value: 0))
        Task {
            seen.withLock { $0 = Identity.current }
            isSeen.signal()
        }
        isSeen.wait()
        inTask = seen.withLock { $0 }
    }

    /// Returns whether all of it shows this identity.
    func tells(_ identity: Identity?) -> Bool {
        agree && current == identity && stored == identity && inTask == identity
    }

    var description: String {
        func name(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }
        return "\(name(current)), stored \(name(stored)), in a task \(name(inTask))\(agree ? "" : ", which differ")"
    }
}
