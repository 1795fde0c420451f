/// A boundary to check for the promises of this package's boundaries: how work is handed over, and what is known about it.
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
/// Give each check its own boundary, as the computed property does: checks run in parallel, and each hands
/// work over from several threads and tasks. Declare what is known about the boundary (``running(on:)``, ``awaited()``,
/// ``throwing(_:)``, …): a promise that cannot be checked without it is reported as not applicable, with the reason.
public struct BoundaryConformance: Sendable {
    /// The work that is handed over.
    public typealias Work = @Sendable () -> Void
    /// The work of a boundary that takes asynchronous work.
    public typealias AsyncWork = @Sendable () async -> Void

    /// The moment at which a boundary captures.
    public enum CapturePoint: Sendable, Hashable {
        /// The call that hands the work over, such as a queue's `async`.
        case handedOver
        /// The call that creates what runs the work, such as a work item.
        case created
        /// The call that registers the work, such as a timer's or an observer's.
        case registered
    }

    /// The name in reports.
    package let name: String
    /// The moment at which the boundary captures.
    let capturePoint: CapturePoint
    /// The place where the work runs.
    var worker: Worker = .elsewhere
    /// The time that a check waits for handed-over work, on the continuous clock: a minute by default.
    ///
    /// The default is long because other tests can keep a small machine busy; only a broken boundary takes that long.
    var limit: Duration = .seconds(60)

    var releaseLimit: Duration = .seconds(60)
    var isAwaited = false
    var isReusable = false
    var isReentrant = false
    /// The largest number of pieces of work that it takes before a caller waits.
    var capacity: Int?
    /// True if the framework binds each request again: an explicit scope, which binds a revoked identity too.
    var bindsByItself = false
    var drop: (@Sendable (@escaping Work) -> Void)?
    var handOverThrowing: (@Sendable (@escaping @Sendable () throws -> Void) -> Void)?
    var handOverReturning: (@Sendable (@escaping @Sendable () throws -> Int) throws -> Int)?
    var carrier: Carrier

    /// How the boundary gets its work: the steps before the hand-over, and the hand-over that results.
    enum Carrier: Sendable {
        case synchronous(@Sendable (@escaping Work) -> Work)
        case asynchronous(@Sendable (@escaping AsyncWork) -> Work)
    }

    /// Creates a boundary that captures in the call that hands the work over.
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - handOver: Hands its argument over, once for each call.
    public init(_ name: String, handOver: @escaping @Sendable (@escaping Work) -> Void) {
        self.init(name, .handedOver, .synchronous { work in { handOver(work) } })
    }

    /// Creates a boundary that captures before the work is handed over: when it is created, or registered.
    ///
    /// ```swift
    /// BoundaryConformance("my timer", capturedWhen: .registered) { work in
    ///     let timer = MyTimer(handler: work)
    ///     return { timer.fire() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - capturePoint: When the boundary captures.
    ///   - prepare: Creates or registers its argument, and returns a closure that fires it or hands it over.
    public init(
        _ name: String,
        capturedWhen capturePoint: CapturePoint,
        prepare: @escaping @Sendable (@escaping Work) -> Work
    ) {
        self.init(name, capturePoint, .synchronous(prepare))
    }

    /// Returns a boundary that takes asynchronous work, and captures in the call that hands it over.
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - handOver: Hands its argument over, once for each call.
    /// - Returns: The boundary.
    public static func asynchronous(
        _ name: String,
        handOver: @escaping @Sendable (@escaping AsyncWork) -> Void
    ) -> BoundaryConformance {
        BoundaryConformance(name, .handedOver, .asynchronous { work in { handOver(work) } })
    }

    /// Returns a boundary that takes asynchronous work, and captures before that work is handed over.
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - capturePoint: When the boundary captures.
    ///   - prepare: Creates or registers its argument, and returns a closure that fires it or hands it over.
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
