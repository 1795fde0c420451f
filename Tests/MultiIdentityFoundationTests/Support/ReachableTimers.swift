import Foundation
import MultiIdentity

extension Timer {
    /// This timer, which the leak sanitizer can reach from now on: Foundation on Linux never releases one.
    var reachable: Timer {
        ReachableTimers.all.add(ReachableTimers(timer: self))
        return self
    }
}

/// `@unchecked Sendable`: the timer is kept and never looked at.
private struct ReachableTimers: @unchecked Sendable {
    static let all = Notes<ReachableTimers>()
    let timer: Timer
}
