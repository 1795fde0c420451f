import Foundation
import MultiIdentity

extension Timer {
    /// This timer, made reachable for the leak sanitizer: Foundation on Linux never releases one.
    var reachable: Timer {
        ReachableTimers.all.add(ReachableTimers(timer: self))
        return self
    }
}

/// `@unchecked Sendable`: the timer is retained and never used.
private struct ReachableTimers: @unchecked Sendable {
    static let all = Notes<ReachableTimers>()
    let timer: Timer
}
