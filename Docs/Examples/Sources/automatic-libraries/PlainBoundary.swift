import Dispatch
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityTesting

/// A plain call that hands work over, with what is known about it.
struct PlainBoundary: Sendable {
    typealias Work = BoundaryConformance.Work
    typealias Worker = CataloguedBoundary.Worker
    typealias ThrowingWork = @Sendable () throws -> Void
    typealias ReturningWork = @Sendable () throws -> Int

    let name: String
    let worker: Worker
    var captured = BoundaryConformance.CapturePoint.handedOver
    private(set) var prepare: @Sendable (DispatchQueue, @escaping Work) -> Work
    var isReusable = false
    var isReentrant = false
    /// True if each piece of work takes a thread or a descriptor.
    private var isDear: Bool
    var throwing: (@Sendable (DispatchQueue, @escaping ThrowingWork) -> Void)?
    var returning: (@Sendable (DispatchQueue, @escaping ReturningWork) throws -> Int)?
    var dropping: (@Sendable (DispatchQueue, @escaping Work) -> Void)?

    /// A boundary at which one call captures and hands over.
    init(_ name: String, on worker: Worker, handOver: @escaping @Sendable (DispatchQueue, @escaping Work) -> Void) {
        self.name = name
        self.worker = worker
        self.isDear = false
        self.prepare = { queue, work in { handOver(queue, work) } }
    }

    /// A boundary that captures work when it is registered; a call of the result runs it.
    static func registered(_ name: String, _ prepare: @escaping @Sendable (@escaping Work) -> Work) -> PlainBoundary {
        var boundary = PlainBoundary(name, on: .elsewhere) { _, work in work() }
        boundary.captured = .registered
        boundary.isDear = true
        boundary.prepare = { _, work in prepare(work) }
        return boundary
    }

    /// Creates a plain call of a catalogued boundary, so that new rows of the catalogue are checked here.
    private init(_ boundary: CataloguedBoundary) {
        name = boundary.name
        worker = boundary.worker
        captured = boundary.isOneCall ? .handedOver : boundary.captured == .created ? .created : .registered
        prepare = { PreparedCrossing.prepare(boundary, carries: false, on: $0, $1) }
        isReusable = boundary.traits.contains(.reusable)
        isReentrant = boundary.traits.contains(.reentrant)
        isDear = boundary.reasonToCrossAlone != nil || boundary.family == .channels
        if boundary.isDroppable {
            dropping = { PreparedCrossing.prepare(boundary, carries: false, isDropped: true, on: $0, $1)() }
        }
    }

    static let all = catalogued.map(PlainBoundary.init) + queues + operations + functions

    /// The catalogued boundaries that call libdispatch through other libraries.
    ///
    /// Batches exist only in this package, and plain operations are captured
    /// when they are added, not when they are created.
    private static let catalogued = CataloguedBoundary.all.filter { boundary in
        boundary.exists && [.queues, .items, .sources, .channels, .operations].contains(boundary.family)
            && !boundary.name.contains("batches") && !(boundary.family == .operations && boundary.captured == .created)
    }
}

extension PlainBoundary {
    /// Returns the boundary for the testing kit.
    func conforming() -> BoundaryConformance {
        let (prepare, queue) = (prepare, DispatchQueue(label: "boundary"))
        var boundary =
            captured == .handedOver
            ? BoundaryConformance(name) { work in prepare(queue, work)() }
            : BoundaryConformance(name, capturedWhen: captured) { work in prepare(queue, work) }
        switch worker {
        case .queue: boundary = boundary.running(on: .reachable { work in queue.async(execute: work) })
        case .caller: boundary = boundary.running(on: .callingThread)
        case .elsewhereAwaited: boundary = boundary.awaited()
        case .elsewhere: break
        }
        if isReusable { boundary = boundary.reusable() }
        if isReentrant { boundary = boundary.reentrant() }
        if isDear { boundary = boundary.bounded(to: 64) }
        if let throwing { boundary = boundary.throwing { throwing(queue, $0) } }
        if let returning { boundary = boundary.returning { try returning(queue, $0) } }
        if let dropping { boundary = boundary.dropping { dropping(queue, $0) } }
        return boundary.within(.seconds(20))
    }

    /// The promises that do not apply, or cannot be checked with what is known.
    var inapplicable: Set<BoundaryPromise> {
        var promises: Set<BoundaryPromise> = [.keepsItAcrossSuspension]
        if !isReusable { promises.insert(.keepsIdentityOnEachRun) }
        if returning == nil { promises.insert(.returnsResults) }
        if dropping == nil { promises.insert(.releasesWhatWasDropped) }
        if throwing == nil { promises.insert(.reinstatesAfterThrow) }
        switch worker {
        case .queue: break
        case .elsewhere: promises.insert(.reinstatesAfterReturn)
        case .elsewhereAwaited: promises.formUnion([.outlivesTheScope, .reinstatesAfterReturn])
        case .caller: promises.insert(.outlivesTheScope)
        }
        if [.elsewhereAwaited, .caller].contains(worker), captured == .handedOver {
            promises.formUnion([.keepsEveryCapture, .runsNothingAsTheRevoked])
        }
        if [.elsewhereAwaited, .caller].contains(worker), !isReentrant {
            promises.formUnion([.nests, .keepsWorkThatRepeats])
        }
        return promises
    }
}
