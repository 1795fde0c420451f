import CMultiIdentity

/// One piece of work that runs now: a scope, or work that a boundary handed over.
///
/// For an operator or a debugger that wants to know which work is running as whom:
///
/// ```swift
/// RunningWork.isRecorded = true
/// …
/// print(RunningWork.report)
/// ```
///
/// In LLDB, `expression print(RunningWork.report)` prints the same.
public struct RunningWork: Sendable {
    /// The identity it runs as; `nil` where nothing is bound.
    public let identity: Identity?
    /// The boundary at which it was handed over; `nil` for a scope.
    public let boundary: IdentityBoundary?
    /// The name of what it was handed to, as a queue's label.
    public let place: String?
    /// The place where the scope was opened or the work was captured.
    public let site: BindingSite?
    /// The system's number of the thread on which it began; a task may have gone on to others.
    public let thread: UInt64
    /// Indicates whether it began in a task.
    public let isInTask: Bool
    /// The time at which it began.
    public let began: ContinuousClock.Instant
    /// The number of hand-overs that it came by.
    public let hops: Int

    /// Indicates whether running work is recorded; off at first.
    ///
    /// On, each scope and each restore takes a lock twice. It speaks for work that began since.
    public static var isRecorded: Bool {
        get { BindingFeatures.inUse.contains(.runningWork) }
        set { BindingFeatures.set(.runningWork, to: newValue) }
    }

    /// All that runs now and began while it was recorded, the longest first.
    ///
    /// - Complexity: O(*n* log *n*) in the number of pieces of work.
    public static var all: [RunningWork] {
        RunningWorkRoster.shared.all(RunningWork.init).sorted { $0.began < $1.began }
    }

    /// All that runs now, a line each, for people.
    public static var report: String {
        let all = all
        if all.isEmpty { return isRecorded ? "no work runs" : "running work is not recorded" }
        return all.map(\.description).joined(separator: "\n")
    }
}

extension RunningWork: CustomStringConvertible {
    /// `ada@contoso.com: async on "mail", captured at App/Mail.swift:40; thread 4711, for 0.3 seconds, after 2 hops`.
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

    /// Notes work whose snapshot has these bits, which somebody keeps for this call, and `keeper` for as long as it is noted.
    static func enter(_ bits: UInt, by boundary: IdentityBoundary) -> RunningWorkRoster.Ticket? {
        guard isRecorded else { return nil }
        return RunningWorkRoster.shared.enter(.init(bits, by: boundary, nil, isInTask: mi_task_runs(), keptBy: .entry))
    }

    /// The same outside tasks, for work whose binding keeps them.
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
