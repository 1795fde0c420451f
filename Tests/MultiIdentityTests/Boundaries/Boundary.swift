import Dispatch
import Foundation
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@testable import MultiIdentity

/// One way to hand work over, as data: the suites hold every promise for each.
struct Boundary: Sendable, CustomTestStringConvertible {
    /// The moment at which a boundary captures: with the hand-over, or in what comes before it.
    enum CapturePoint: Sendable {
        case dispatched, created, registered
    }

    /// The place where work runs: as ``CataloguedBoundary/Worker``.
    enum Worker: Sendable {
        case caller, queue, elsewhere, elsewhereAwaited
    }

    typealias Work = @Sendable () -> Void

    let name: String
    let captured: CapturePoint
    let worker: Worker
    /// True if what was prepared can be run again and again.
    let isReusable: Bool
    /// Does with the work what comes before the hand-over (nothing where the capture is when dispatched), and returns
    /// the hand-over.
    let prepare: @Sendable (DispatchQueue, @escaping Work) -> Work

    var testDescription: String { name }

    /// A boundary that captures when dispatched.
    init(_ name: String, on worker: Worker, handOver: @escaping @Sendable (DispatchQueue, @escaping Work) -> Void) {
        self.name = name
        self.captured = .dispatched
        self.worker = worker
        self.isReusable = false
        self.prepare = { queue, work in { handOver(queue, work) } }
    }

    /// A boundary of the catalogue, as it carries.
    ///
    /// What runs on the thread that sets it off is set off by another user here, on a thread of its own.
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

    /// Those where the caller goes on while the work waits to run, and which hold the work meanwhile.
    static var keepingWork: [Boundary] { all.filter { [.queue, .elsewhere].contains($0.worker) } }

    /// Those where the caller waits for the work.
    static var waiting: [Boundary] { all.filter { [.caller, .elsewhereAwaited].contains($0.worker) } }
}

/// Whence work is handed over: how the thread level is stored differs there.
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
    /// Hands over work that returns what `look` finds: prepared as `creator`, handed over as `dispatcher`.
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
