import Dispatch
import Foundation
import MultiIdentity

@testable import ScheduleExploring

/// Identity as people make it by hand: a value for each thread, set and put back around work.
///
/// Without a fault it keeps the rules for threads and queues, though it shares nothing with the library: so the model
/// is one of the rules, and not of the library.
final class HandmadeSubject: ExplorationSubject {
    enum Fault: Sendable {
        case none
        /// Wrapped work leaves its identity behind.
        case neverReinstates
        /// Wrapped work leaves nothing behind.
        case clears
        /// A scope that is left by a throw is not undone.
        case isUndoneByReturnOnly
    }

    static let families: StepFamilies = [.scopes, .snapshots, .queues, .items, .groups]

    private let fault: Fault
    private let key = UUID().uuidString

    init(_ fault: Fault) { self.fault = fault }

    /// Under a key of its own: what a faulty run leaves on a thread of the pool is nothing to the next.
    var fresh: any ExplorationSubject { HandmadeSubject(fault) }

    /// `nil` where nothing is bound.
    private var bound: Identity? {
        get { Thread.current.threadDictionary[key] as? Identity }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    var current: Identity? { bound }

    func effective(for purpose: EffectiveIdentity.Purpose) -> (identity: Identity?, level: EffectiveIdentity.Level?) {
        (bound, bound == nil ? nil : .thread)
    }

    func bind(_ identity: Identity?, _ body: () throws(Leaving) -> Void) throws(Leaving) {
        let outer = bound
        bound = identity
        do {
            try body()
        } catch {
            if fault != .isUndoneByReturnOnly { bound = outer }
            throw error
        }
        bound = outer
    }

    func wrap(_ work: @escaping Work, _ asyncWork: @escaping AsyncWork) -> (Work, AsyncWork) {
        let captured = bound
        let wrapped: Work = { [self] worker throws(Leaving) in
            let outer = bound
            bound = captured
            defer {
                switch fault {
                case .neverReinstates: break
                case .clears: bound = nil
                case .none, .isUndoneByReturnOnly: bound = outer
                }
            }
            try work(worker)
        }
        return (wrapped, asyncWork)
    }

    private func carry(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let captured = bound
        return { [self] in
            let outer = bound
            bound = captured
            work()
            bound = outer
        }
    }

    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) { queue.async(execute: carry(work)) }

    func barrier(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        queue.async(flags: .barrier, execute: carry(work))
    }

    func async(on queue: DispatchQueue, in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        queue.async(group: group, execute: carry(work))
    }

    func sync(on queue: DispatchQueue, _ work: () throws(Leaving) -> Void) throws(Leaving) {
        let captured = bound
        let result = queue.sync {
            let outer = bound
            bound = captured
            defer { bound = outer }
            return Result { () throws(Leaving) in try work() }
        }
        try result.get()
    }

    func item(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem { DispatchWorkItem(block: carry(work)) }

    func dispatch(_ item: DispatchWorkItem, on queue: DispatchQueue) { queue.async(execute: item) }

    func notify(of item: DispatchWorkItem, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        item.notify(queue: queue, execute: carry(work))
    }

    func notify(of group: DispatchGroup, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queue, execute: carry(work))
    }
}
