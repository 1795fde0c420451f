/// A boundary that is to keep what this package's boundaries promise: how work is handed over, and what is known of it.
///
/// ```swift
/// static var pool: BoundaryConformance {
///     let pool = MyPool()
///     return BoundaryConformance("my pool") { work in pool.submit(work) }
/// }
/// @Test(arguments: BoundaryPromise.allCases) func keeps(_ promise: BoundaryPromise) async throws {
///     try await promise.check(on: Self.pool)
/// }
/// ```
///
/// Give each check a boundary of its own, as the computed property above does: checks run in parallel, and each hands
/// work over from several threads and tasks. Say what is known about the boundary (``running(on:)``, ``awaited()``,
/// ``throwing(_:)``, …): a promise that cannot be checked without is reported as not applicable, with the reason.
public struct BoundaryConformance: Sendable {
    /// The work that is handed over.
    public typealias Work = @Sendable () -> Void
    /// The work of a boundary that takes asynchronous work.
    public typealias AsyncWork = @Sendable () async -> Void

    /// The moment at which a boundary captures.
    public enum CapturePoint: Sendable, Hashable, CaseIterable {
        /// In the call that hands the work over, as a queue's `async` does.
        case handedOver
        /// In the call that makes what runs the work, as a work item.
        case created
        /// In the call that registers the work, as a timer's or an observer's.
        case registered
    }

    /// The name, for people.
    public let name: String
    /// The moment at which the boundary captures.
    public let capturePoint: CapturePoint
    /// The place where the work runs.
    public internal(set) var worker: Worker = .elsewhere
    /// The time that a check waits for handed-over work, on the continuous clock: a minute, unless set otherwise.
    ///
    /// So long because other tests can keep a small machine busy; only a boundary that is broken is waited for as long.
    public internal(set) var limit: Duration = .seconds(60)

    var releaseLimit: Duration = .seconds(60)
    var isAwaited = false
    var isReusable = false
    var isReentrant = false
    /// The most pieces of work that it takes before a caller waits.
    var capacity: Int?
    /// True if each request is bound again by the framework: an explicit scope, which binds a revoked identity too.
    var bindsByItself = false
    var drop: (@Sendable (@escaping Work) -> Void)?
    var handOverThrowing: (@Sendable (@escaping @Sendable () throws -> Void) -> Void)?
    var handOverReturning: (@Sendable (@escaping @Sendable () throws -> Int) throws -> Int)?
    var carrier: Carrier

    /// The way to give the boundary its work: what comes before the hand-over, and the hand-over that results.
    enum Carrier: Sendable {
        case synchronous(@Sendable (@escaping Work) -> Work)
        case asynchronous(@Sendable (@escaping AsyncWork) -> Work)
    }

    /// A boundary that captures in the call that hands the work over.
    ///
    /// - Parameters:
    ///   - name: What people read.
    ///   - handOver: Hands its argument over, once each time it is called.
    public init(_ name: String, handOver: @escaping @Sendable (@escaping Work) -> Void) {
        self.init(name, .handedOver, .synchronous { work in { handOver(work) } })
    }

    /// A boundary that captures before the work is handed over: when it is created, or registered.
    ///
    /// ```swift
    /// BoundaryConformance("my timer", capturedWhen: .registered) { work in
    ///     let timer = MyTimer(handler: work)
    ///     return { timer.fire() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What people read.
    ///   - capturePoint: When the boundary captures.
    ///   - prepare: Creates or registers with its argument, and returns what then lets the work run, or hands it over.
    public init(
        _ name: String,
        capturedWhen capturePoint: CapturePoint,
        prepare: @escaping @Sendable (@escaping Work) -> Work
    ) {
        self.init(name, capturePoint, .synchronous(prepare))
    }

    /// A boundary that takes asynchronous work, and captures in the call that hands it over.
    ///
    /// - Parameters:
    ///   - name: What people read.
    ///   - handOver: Hands its argument over, once each time it is called.
    /// - Returns: The boundary.
    public static func asynchronous(
        _ name: String,
        handOver: @escaping @Sendable (@escaping AsyncWork) -> Void
    ) -> BoundaryConformance {
        BoundaryConformance(name, .handedOver, .asynchronous { work in { handOver(work) } })
    }

    /// A boundary that takes asynchronous work, and captures before that is handed over.
    ///
    /// - Parameters:
    ///   - name: What people read.
    ///   - capturePoint: When the boundary captures.
    ///   - prepare: Creates or registers with its argument, and returns what then lets the work run, or hands it over.
    /// - Returns: The boundary.
    public static func asynchronous(
        _ name: String,
        capturedWhen capturePoint: CapturePoint,
        prepare: @escaping @Sendable (@escaping AsyncWork) -> Work
    ) -> BoundaryConformance {
        BoundaryConformance(name, capturePoint, .asynchronous(prepare))
    }

    private init(_ name: String, _ capturePoint: CapturePoint, _ carrier: Carrier) {
        self.name = name
        self.capturePoint = capturePoint
        self.carrier = carrier
    }
}

extension BoundaryConformance: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
