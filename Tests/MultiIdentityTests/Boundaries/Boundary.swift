import Dispatch
import Foundation
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@testable import MultiIdentity

/// One way to hand over work, as data: the suites check every promise for each.
struct Boundary: Sendable, CustomTestStringConvertible {
    /// The moment at which a boundary captures: with the hand-over, or in an earlier step.
    enum CapturePoint: Sendable {
        case dispatched, created, registered
    }

    /// The place where work runs, as ``CataloguedBoundary/Worker``.
    enum Worker: Sendable {
        case caller, queue, elsewhere, elsewhereAwaited
    }

    typealias Work = @Sendable () -> Void

    let name: String
    let captured: CapturePoint
    let worker: Worker
    /// True if prepared work can run more than once.
    let isReusable: Bool
    /// Does the step before the hand-over (nothing if the capture is at dispatch), and returns the hand-over.
    let prepare: @Sendable (DispatchQueue, @escaping Work) -> Work

    var testDescription: String { name }

    /// Creates a boundary that captures when dispatched.
    init(_ name: String, on worker: Worker, handOver: @escaping @Sendable (DispatchQueue, @escaping Work) -> Void) {
        self.name = name
        self.captured = .dispatched
        self.worker = worker
        self.isReusable = false
        self.prepare = { queue, work in { handOver(queue, work) } }
    }

    /// Creates a boundary of the catalogue, in its carrying form.
    ///
    /// For work that runs on the thread that triggers it, another user triggers it, on a separate thread.
    init(_ boundary: CataloguedBoundary) {
        let isSetOffByOthers = boundary.family == .tasks && boundary.worker == .caller && !boundary.isOneCall
        name = boundary.name
        captured = boundary.isOneCall ? .dispatched : boundary.captured == .created ? .created : .registered
        worker =
            switch boundary.worker {
            case .caller: isSetOffByOthers ? .elsewhere : .caller
            case .queue: .queue
            case .elsewhere: .elsewhere
            case .elsewhereAwaited: .elsewhereAwaited
            }
        isReusable = boundary.traits.contains(.reusable)
        prepare = { queue, work in
            let handOver = PreparedCrossing.prepare(boundary, carries: true, on: queue, work)
            guard isSetOffByOthers else { return handOver }
            let somebodyElse = try? Identity("somebody.else@contoso.com")
            return { Thread.detachNewThread { withIdentity(somebodyElse, handOver) } }
        }
    }

    /// Boundaries whose caller continues while the work waits to run; they retain the work in the meantime.
    static var keepingWork: [Boundary] { all.filter { [.queue, .elsewhere].contains($0.worker) } }

    /// Boundaries whose caller waits for the work.
    static var waiting: [Boundary] { all.filter { [.caller, .elsewhereAwaited].contains($0.worker) } }
}

/// The origin of a hand-over: the thread level is stored differently in each.
enum Origin: Sendable, CaseIterable {
    case thread, worker, task

    func run(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .thread: Thread.detachNewThread(body)
        case .worker: DispatchQueue.global().async(execute: body)
        case .task: body()
        }
    }
}

extension Boundary {
    /// Hands over work that returns the result of `look`: prepared as `creator`, handed over as `dispatcher`.
    func inWork<Value: Sendable>(
        preparedAs creator: Identity?,
        handedOverAs dispatcher: Identity?,
        from origin: Origin = .thread,
        under levels: IdentityLevels = .shared,
        _ look: @escaping @Sendable (DispatchQueue) -> Value
    ) async -> Value {
        let queue = DispatchQueue(label: "boundary")
        let found = Locked<Value?>(nil)
        await withCheckedContinuation { continuation in
            origin.run {
                withIdentityLevels(levels) {
                    let handOver = withIdentity(creator) {
                        prepare(queue) {
                            let value = look(queue)
                            found.withLock { $0 = value }
                            continuation.resume()
                        }
                    }
                    withIdentity(dispatcher) { handOver() }
                }
            }
        }
        guard let value = found.withLock({ $0 }) else { preconditionFailure("\(name) ran nothing.") }
        return value
    }

    /// Hands over as `caller` throughout.
    func inWork<Value: Sendable>(
        of caller: Identity?,
        from origin: Origin = .thread,
        under levels: IdentityLevels = .shared,
        _ look: @escaping @Sendable (DispatchQueue) -> Value
    ) async -> Value {
        await inWork(preparedAs: caller, handedOverAs: caller, from: origin, under: levels, look)
    }
}
