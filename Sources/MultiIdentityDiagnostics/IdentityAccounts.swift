public import MultiIdentity

/// Process-wide accounts of the processor's time, by the identity whose work used it; cheap enough to leave on.
///
/// ```swift
/// IdentityAccounts.isOn = true
/// …
/// print(IdentityAccounts.snapshot())  // who uses the machine, the largest first
/// ```
///
/// Work that a boundary hands over, and a synchronous scope, is charged to the identity that it runs as, and not to those who act for
/// it; work that began as nobody, since its owner was revoked before, to nobody. A scope in other work takes its time from
/// that work. `sync` on the caller's own thread remains the caller's.
///
/// A task is charged to what is bound in it if its executor is an `IdentityTaskExecutor`, or Swift's own one in automatic mode. Jobs of
/// default actors, each of which runs several tasks, are ``Holder/jobs`` there. On other executors tasks are charged for their synchronous
/// scopes and restores alone, since Swift reports no switch between them; the rest is ``Holder/betweenPieces`` on threads that run
/// other work too, and ``Holder/notAttributed`` elsewhere. If an executor of yours hands jobs to an identity queue, it does so with
/// nothing bound, or the identity that resumes a task is charged. What `Task.immediate` does before its first suspension is charged to
/// the code that started it; from its first asynchronous scope of another identity on, both are ``Holder/jobs``.
///
/// - Note: The system's clock of a thread is read at most once a millisecond, or for 192 accounts, and the time until then is
///   shared out by the processor's counter. If a piece waits, up to a millisecond of what ran before it on its thread, between
///   pieces or as others that waited too, may be charged to it. The largest 1,024 identities of those seen lately have accounts:
///   one that was not seen for a second may lose its account to another, and its time goes to ``Holder/others``.
public enum IdentityAccounts: Sendable {
    /// Who time was spent for.
    public enum Holder: Hashable, Sendable {
        /// An identity, or nobody.
        case identity(Identity)
        /// Work that was handed over, or a scope, with the thread level unset.
        case unset
        /// Jobs that run several tasks, such as those of actors, and tasks where it is not known what is bound in them.
        case jobs
        /// The identities that have no account of their own.
        case others
        /// What threads that run such work do between two pieces: Dispatch's own work, and code that nothing handed over.
        case betweenPieces
        /// What the process used besides, as on threads that run tasks alone.
        case notAttributed
    }

    /// One account.
    public struct Row: Hashable, Sendable {
        /// Who the time was spent for.
        public let holder: Holder
        /// The boundary that handed the work over; `nil` for synchronous scopes, and where there is no work.
        public let boundary: IdentityBoundary?
        /// The processor time.
        public let cpu: Duration
        /// The time from begin to end of the work, with its waits, and without the scopes in it.
        public let wall: Duration
        /// The time from hand-over to begin, of closures for queues and operation queues; zero for all else, such as delayed work.
        ///
        /// Each piece is rounded to a microsecond or two; a wait of over half an hour may be missing.
        public let waited: Duration
        /// The number of pieces of work, of scopes, or of runs of tasks, that began.
        public let pieces: UInt64
    }

    /// All accounts at one time, since accounts were first turned on.
    public struct Snapshot: Sendable {
        /// The accounts, the largest processor time first; their sum is ``cpu``.
        public let rows: [Row]
        /// The processor time of the process.
        public let cpu: Duration
        /// The time that has passed.
        public let wall: Duration

        /// The processor time by holder, over all boundaries, the largest first.
        public var byHolder: [(holder: Holder, cpu: Duration)] {
            Dictionary(rows.map { ($0.holder, $0.cpu) }, uniquingKeysWith: +)
                .map { (holder: $0.key, cpu: $0.value) }.sorted { $0.cpu > $1.cpu }
        }
    }

    /// Indicates whether time is charged; `false` by default.
    ///
    /// If it is off, it costs nothing. It covers work that begins from then on.
    public static var isOn: Bool {
        get { AccountedTime.isOn }
        set { AccountedTime.isOn = newValue }
    }

    /// Returns all accounts, with the work that runs now.
    ///
    /// The share of work that runs now is provisional, and can decrease by what its thread turns out to have waited.
    ///
    /// - Returns: The accounts.
    /// - Complexity: O(*accounts* + *threads*); threads wait for it when their millisecond ends.
    public static func snapshot() -> Snapshot {
        let (records, cpu, wall) = AccountedTime.all()
        let attributed = records.reduce(0) { $0 + $1.cpu }
        var rows = records.filter { $0.cpu > 0 || $0.pieces > 0 }.map(Row.init)
        rows.append(Row(notAttributed: cpu > attributed ? cpu - attributed : 0))
        return Snapshot(rows: rows.sorted { $0.cpu > $1.cpu }, cpu: .nanoseconds(cpu), wall: .nanoseconds(wall))
    }
}

extension IdentityAccounts.Row {
    fileprivate init(_ record: AccountedTime) {
        holder =
            switch record.holder {
            case .identity(let identity): .identity(identity)
            case .unset: .unset
            case .jobs: .jobs
            case .others: .others
            case .betweenPieces: .betweenPieces
            }
        boundary = record.boundary
        (cpu, wall, pieces) = (.nanoseconds(record.cpu), .nanoseconds(record.wall), record.pieces)
        waited = .nanoseconds(record.waited)
    }

    fileprivate init(notAttributed cpu: UInt64) {
        (holder, boundary, wall, waited, pieces) = (.notAttributed, nil, .zero, .zero, 0)
        self.cpu = .nanoseconds(cpu)
    }
}

extension IdentityAccounts.Holder: CustomStringConvertible {
    /// The identity, or what it is instead.
    public var description: String {
        switch self {
        case .identity(let identity): "\(identity)"
        case .unset: "(unset)"
        case .jobs: "(jobs)"
        case .others: "(others)"
        case .betweenPieces: "(between pieces)"
        case .notAttributed: "(not attributed)"
        }
    }
}

extension IdentityAccounts.Row: CustomStringConvertible {
    /// `ada@contoso.com, async: 1.5 s of processor time, 1.7 s in all, in 40 pieces, which waited 0.2 s`.
    public var description: String {
        let (work, wait) = (
            "\(holder)\(boundary.map { ", \($0)" } ?? "")", waited > .zero ? ", which waited \(waited)" : ""
        )
        return "\(work): \(cpu) of processor time, \(wall) in all, in \(pieces) pieces\(wait)"
    }
}

extension IdentityAccounts.Snapshot: CustomStringConvertible {
    /// One line per account, for people.
    public var description: String { rows.map(\.description).joined(separator: "\n") }
}
