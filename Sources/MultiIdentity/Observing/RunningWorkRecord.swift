import CMultiIdentity

/// One piece of work that runs now: `RunningWork` of MultiIdentityDiagnostics.
package struct RunningWorkRecord: Sendable {
    package let identity: Identity?
    package let boundary: IdentityBoundary?
    package let place: String?
    package let site: CallSite?
    package let thread: UInt64
    package let isInTask: Bool
    package let began: ContinuousClock.Instant
    package let hops: Int

    private init(_ entry: RunningWorkRoster.Entry) {
        let hop = entry.snapshot.frame?.journey?.lastHop
        identity = entry.identity
        boundary = entry.boundary
        place = hop?.place
        site = entry.site ?? hop?.site
        hops = entry.snapshot.hopCount
        thread = entry.thread
        isInTask = entry.isInTask
        began = entry.began.instant
    }

    /// All work that runs now and began while it was recorded, the longest-running first.
    package static var all: [RunningWorkRecord] {
        RunningWorkRoster.shared.all(RunningWorkRecord.init).sorted { $0.began < $1.began }
    }
}

extension RunningWorkRecord: CustomStringConvertible {
    package var description: String {
        let subject = identity.map { "\($0)" } ?? "unset"
        let work = boundary?.text(onto: place, at: site) ?? site.map { "scope opened at \($0)" } ?? "scope"
        let age = (ContinuousClock.now - began).formattedSeconds
        return "\(subject): \(work); thread \(thread)\(isInTask ? " in a task" : ""), for \(age), after \(hops) hops"
    }
}

extension RunningWorkRoster {
    static func enter(scopeOf identity: Identity?, at site: CallSite?) -> Ticket? {
        guard BindingFeatures.inUse.contains(.runningWork) else { return nil }
        let snapshot = identity.map { IdentitySnapshot(.identity($0)) } ?? .nothing
        return shared.enter(
            .init(ThreadMirror.bits(of: snapshot), by: nil, site, isInTask: mi_task_runs(), keptBy: .entry)
        )
    }

    /// Lists work whose snapshot has these bits; the caller keeps them alive for this call, and `keeper` as long as the work is listed.
    static func enter(_ bits: UInt, by boundary: IdentityBoundary) -> Ticket? {
        guard BindingFeatures.inUse.contains(.runningWork) else { return nil }
        return shared.enter(.init(bits, by: boundary, nil, isInTask: mi_task_runs(), keptBy: .entry))
    }

    /// Lists work outside tasks whose binding keeps the bits alive.
    @inline(__always)
    static func enter(_ bits: UInt, by boundary: IdentityBoundary, _ features: BindingFeatures) -> Ticket? {
        guard features.contains(.runningWork) else { return nil }
        return shared.enter(.init(bits, by: boundary, nil, isInTask: false, keptBy: .binding))
    }
}
