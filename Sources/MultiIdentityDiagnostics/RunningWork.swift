public import MultiIdentity

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
    let record: RunningWorkRecord

    /// The identity that it runs as; `nil` if nothing is bound.
    public var identity: Identity? { record.identity }
    /// The boundary at which it was handed over; `nil` for a scope.
    public var boundary: IdentityBoundary? { record.boundary }
    /// The name of its target, such as a queue's label.
    public var place: String? { record.place }
    /// The place where the scope was opened or the work was captured.
    public var site: BindingSite? { record.site.flatMap(BindingSite.init) }
    /// The system's number of the thread on which it began; a task may have moved to others.
    public var thread: UInt64 { record.thread }
    /// Indicates whether it began in a task.
    public var isInTask: Bool { record.isInTask }
    /// The time at which it began.
    public var began: ContinuousClock.Instant { record.began }
    /// The number of its hand-overs.
    public var hops: Int { record.hops }

    /// Indicates whether running work is recorded; `false` by default.
    ///
    /// If it is on, each scope and each restore takes a lock twice. It covers work that begins from then on.
    public static var isRecorded: Bool {
        get { BindingFeatures.inUse.contains(.runningWork) }
        set { BindingFeatures.set(.runningWork, to: newValue) }
    }

    /// All work that runs now and began while it was recorded, the longest-running first.
    ///
    /// - Complexity: O(*n* log *n*) in the number of pieces of work.
    public static var all: [RunningWork] { RunningWorkRecord.all.map(RunningWork.init) }

    /// All work that runs now, one line each, for people.
    public static var report: String {
        let all = all
        if all.isEmpty { return isRecorded ? "no work runs" : "running work is not recorded" }
        return all.map(\.description).joined(separator: "\n")
    }
}

extension RunningWork: CustomStringConvertible {
    /// `ada@contoso.com: async on "mail", captured at App/Mail.swift:40; thread 4711, for 0.3 s, after 2 hops`.
    public var description: String { record.description }
}

extension WorkInFlight {
    /// The running work, the longest-running first, if it is recorded (``RunningWork/isRecorded``); otherwise empty.
    public var work: [RunningWork] { records.map(RunningWork.init) }
}
