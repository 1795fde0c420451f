import CMultiIdentity

/// One piece of work that runs now: a scope, or work that a boundary handed over.
///
/// It shows an operator or a debugger which work runs as which identity:
///
/// ```swift
/// RunningWork.isRecorded = true
/// …
/// print(RunningWork.report)
/// ```
///
/// In LLDB, `expression print(RunningWork.report)` prints the same.
public struct RunningWork: Sendable {
    /// The identity that it runs as; `nil` if nothing is bound.
    public let identity: Identity?
    /// The boundary at which it was handed over; `nil` for a scope.
    public let boundary: IdentityBoundary?
    /// The name of its target, such as a queue's label.
    public let place: String?
    /// The place where the scope was opened or the work was captured.
    public let site: BindingSite?
    /// The system's number of the thread on which it began; a task may have moved to others.
    public let thread: UInt64
    /// Indicates whether it began in a task.
    public let isInTask: Bool
    /// The time at which it began.
    public let began: ContinuousClock.Instant
    /// The number of its hand-overs.
    public let hops: Int

    /// Indicates whether running work is recorded; `false` by default.
    ///
    /// If it is on, each scope and each restore takes a lock twice. It covers work that began since.
    public static var isRecorded: Bool {
        get { BindingFeatures.inUse.contains(.runningWork) }
        set { BindingFeatures.set(.runningWork, to: newValue) }
    }

    /// All work that runs now and began while it was recorded, the longest-running first.
    ///
    /// - Complexity: O(*n* log *n*) in the number of pieces of work.
    public static var all: [RunningWork] {
        RunningWorkRoster.shared.all(RunningWork.init).sorted { $0.began < $1.began }
    }

    /// All work that runs now, one line each, for people.
    public static var report: String {
        let all = all
        if all.isEmpty { return isRecorded ? "no work runs" : "running work is not recorded" }
        return all.map(\.description).joined(separator: "\n")
    }
}

extension RunningWork: CustomStringConvertible {
    /// `ada@contoso.com: async on "mail", captured at App/Mail.swift:40; thread 4711, for 0.3 s, after 2 hops`.
    public var description: String {
        let subject = identity.map { "\($0)" } ?? "unset"
        let work =
            if let boundary {
                IdentityHop(boundary: boundary, place: place, site: site, time: began).description
            } else { site.map { "scope opened at \($0)" } ?? "scope" }
        let age = (ContinuousClock.now - began).formattedSeconds
        return "\(subject): \(work); thread \(thread)\(isInTask ? " in a task" : ""), for \(age), after \(hops) hops"
    }
}

extension RunningWork {
    static func enter(scopeOf identity: Identity?, at site: BindingSite?) -> RunningWorkRoster.Ticket? {
        guard isRecorded else { return nil }
        let snapshot = identity.map { IdentitySnapshot(.identity($0)) } ?? .nothing
        return RunningWorkRoster.shared.enter(
            .init(ThreadMirror.bits(of: snapshot), by: nil, site, isInTask: mi_task_runs(), keptBy: .entry)
        )
    }

    /// Lists work whose snapshot has these bits; the caller keeps them alive for this call, and `keeper` as long as the work is listed.
    static func enter(_ bits: UInt, by boundary: IdentityBoundary) -> RunningWorkRoster.Ticket? {
        guard isRecorded else { return nil }
        return RunningWorkRoster.shared.enter(.init(bits, by: boundary, nil, isInTask: mi_task_runs(), keptBy: .entry))
    }

    /// Lists work outside tasks whose binding keeps the bits alive.
    @inline(__always)
    static func enter(
        _ bits: UInt,
        by boundary: IdentityBoundary,
        _ features: BindingFeatures
    ) -> RunningWorkRoster.Ticket? {
        guard features.contains(.runningWork) else { return nil }
        return RunningWorkRoster.shared.enter(.init(bits, by: boundary, nil, isInTask: false, keptBy: .binding))
    }

    fileprivate init(_ entry: RunningWorkRoster.Entry) {
        let journey = entry.snapshot.frame?.journey
        let hop = journey?.lastHop
        identity = entry.identity
        boundary = entry.boundary
        place = hop?.place
        site = entry.site ?? hop?.site
        hops = journey?.count ?? 0
        thread = entry.thread
        isInTask = entry.isInTask
        began = entry.began.instant
    }
}
