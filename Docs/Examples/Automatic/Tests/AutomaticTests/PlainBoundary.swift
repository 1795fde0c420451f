import Dispatch
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityTesting
import Testing

/// A plain call that hands work over, with what is known of it.
struct PlainBoundary: Sendable, CustomTestStringConvertible {
    typealias Work = BoundaryConformance.Work
    typealias ThrowingWork = @Sendable () throws -> Void
    typealias ReturningWork = @Sendable () throws -> Int

    enum Worker: Sendable {
        /// The queue that the check gives.
        case queue
        /// The thread that hands over.
        case caller
        /// Some thread, for which the caller waits.
        case awaited
        /// Some thread.
        case elsewhere
    }

    let name: String
    let worker: Worker
    var captured = BoundaryConformance.CapturePoint.handedOver
    let prepare: @Sendable (DispatchQueue, @escaping Work) -> Work
    var isReusable = false
    var isReentrant = false
    var throwing: (@Sendable (DispatchQueue, @escaping ThrowingWork) -> Void)?
    var returning: (@Sendable (DispatchQueue, @escaping ReturningWork) throws -> Int)?
    var dropping: (@Sendable (DispatchQueue, @escaping Work) -> Void)?

    var testDescription: String { name }

    init(_ name: String, on worker: Worker, handOver: @escaping @Sendable (DispatchQueue, @escaping Work) -> Void) {
        self.name = name
        self.worker = worker
        self.prepare = { queue, work in { handOver(queue, work) } }
    }

    init(
        _ name: String,
        on worker: Worker,
        captured: BoundaryConformance.CapturePoint,
        prepare: @escaping @Sendable (DispatchQueue, @escaping Work) -> Work
    ) {
        self.name = name
        self.worker = worker
        self.captured = captured
        self.prepare = prepare
    }

    /// A boundary of the catalogue, by its plain way.
    private init(_ boundary: CataloguedBoundary) {
        name = boundary.name
        worker =
            switch boundary.worker {
            case .queue: .queue
            case .caller: .caller
            case .elsewhere: .elsewhere
            case .elsewhereAwaited: .awaited
            }
        captured = boundary.isOneCall ? .handedOver : boundary.captured == .created ? .created : .registered
        prepare = { PreparedCrossing.prepare(boundary, carries: false, on: $0, $1) }
        isReusable = boundary.traits.contains(.reusable)
        isReentrant = boundary.traits.contains(.reentrant)
        if boundary.isDroppable {
            dropping = { PreparedCrossing.prepare(boundary, carries: false, isDropped: true, on: $0, $1)() }
        }
    }

    /// Those that reach libdispatch by the calls of its own module, or by the program's; batches have no plain way.
    private static let catalogued = CataloguedBoundary.all.filter { boundary in
        boundary.exists && [.queues, .items, .sources, .channels].contains(boundary.family)
            && !boundary.name.contains("batches")
    }

    static let all = catalogued.map(PlainBoundary.init) + queues + functions + operations
    /// Those where the caller's own thread never runs the work.
    static var elsewhere: [PlainBoundary] { all.filter { [.queue, .elsewhere].contains($0.worker) } }
}

extension PlainBoundary {
    /// For the kit, on a queue of its own.
    func conforming(on queue: DispatchQueue = DispatchQueue(label: "boundary")) -> BoundaryConformance {
        let prepare = prepare
        var boundary =
            captured == .handedOver
            ? BoundaryConformance(name) { work in prepare(queue, work)() }
            : BoundaryConformance(name, capturedWhen: captured) { work in prepare(queue, work) }
        switch worker {
        case .queue: boundary = boundary.running(on: .reachable { work in queue.async(execute: work) })
        case .caller: boundary = boundary.running(on: .callingThread)
        case .awaited: boundary = boundary.awaited()
        case .elsewhere: break
        }
        if isReusable { boundary = boundary.reusable() }
        if isReentrant { boundary = boundary.reentrant() }
        if let throwing { boundary = boundary.throwing { throwing(queue, $0) } }
        if let returning { boundary = boundary.returning { try returning(queue, $0) } }
        if let dropping { boundary = boundary.dropping { dropping(queue, $0) } }
        return boundary.within(.seconds(20))
    }

    /// The promises that mean nothing for it, or cannot be checked by what is known of it.
    var inapplicable: Set<BoundaryPromise> {
        var promises: Set<BoundaryPromise> = [.keepsItAcrossSuspension]
        if !isReusable { promises.insert(.keepsItEachTime) }
        if returning == nil { promises.insert(.passesResultsOn) }
        if dropping == nil { promises.insert(.releasesWhatWasDropped) }
        if throwing == nil { promises.insert(.reinstatesAfterThrow) }
        switch worker {
        case .queue: break
        case .elsewhere: promises.insert(.reinstatesAfterReturn)
        case .awaited:
            promises.formUnion([.outlivesTheScope, .reinstatesAfterReturn])
            if !isReentrant { promises.formUnion([.nests, .keepsWorkThatRepeats]) }
        case .caller:
            promises.insert(.outlivesTheScope)
            if !isReentrant { promises.formUnion([.nests, .keepsWorkThatRepeats]) }
        }
        return promises
    }
}

/// Carries what is safe in a closure and on Linux lacks the word for it: work items, their flags, sources.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
