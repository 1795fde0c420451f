import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A thread, plain or carrying identity") struct ThreadTests {
    /// How a thread is made: what a plain one does, one that carries must do.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func make(_ block: @escaping @Sendable () -> Void) -> Thread {
            switch self {
            case .plain: Thread(block: block)
            case .carrying: Thread.propagatingIdentity(block: block)
            }
        }

        func detach(_ block: @escaping @Sendable () -> Void) {
            switch self {
            case .plain: Thread.detachNewThread(block)
            case .carrying: Thread.propagatingIdentity.detachNewThread(block)
            }
        }
    }

    @Test("runs its block once, on itself, with what was set on it", arguments: Kind.allCases)
    func properties(_ kind: Kind) async {
        let runs = Notes<[String]>()
        let isOver = Locked(false)
        await withCheckedContinuation { continuation in
            let thread = kind.make {
                let current = Thread.current
                runs.add([
                    "\(current.stackSize)", "\(current.qualityOfService == .utility)", "\(current.isExecuting)",
                    "\(current.isMainThread)", current.threadDictionary["key"] as? String ?? "",
                ])
                isOver.withLock { $0 = true }
                continuation.resume()
            }
            thread.stackSize = 1 << 20
            thread.qualityOfService = .utility
            thread.threadDictionary["key"] = "value"
            thread.start()
        }
        #expect(isOver.withLock { $0 })
        #expect(runs.all == [["\(1 << 20)", "true", "true", "false", "value"]])
    }

    @Test("says when it was cancelled, and never runs if that was before its start", arguments: Kind.allCases)
    func cancellation(_ kind: Kind) async {
        let runs = Notes<Bool>()
        let states = await onNewThread { () -> [Bool] in
            let started = DispatchSemaphore(value: 0)
            let cancelled = DispatchSemaphore(value: 0)
            let over = DispatchSemaphore(value: 0)
            let running = kind.make {
                started.signal()
                cancelled.wait()
                runs.add(Thread.current.isCancelled)
                over.signal()
            }
            running.start()
            started.wait()
            running.cancel()
            cancelled.signal()
            over.wait()
            let unstarted = kind.make { runs.add(false) }
            unstarted.cancel()
            unstarted.start()
            return [running.isCancelled, unstarted.isCancelled, unstarted.isFinished, unstarted.isExecuting]
        }
        #expect(runs.all == [true])
        #expect(states == [true, true, true, false])
    }

    @Test("is detached and runs by itself", arguments: Kind.allCases)
    func detached(_ kind: Kind) async {
        let isOther = await onNewThread { () -> Bool in
            let over = DispatchSemaphore(value: 0)
            let here = ObjectIdentifier(Thread.current)
            let isOther = Locked(false)
            kind.detach {
                isOther.withLock { $0 = ObjectIdentifier(Thread.current) != here }
                over.signal()
            }
            over.wait()
            return isOther.withLock { $0 }
        }
        #expect(isOther)
    }

    @Test("frees what its block held while Dispatch still works on the thread")
    func releaseOnTheThread() async {
        /// Uses Dispatch, as it must not when the thread is all but gone.
        final class Load: Sendable {
            let said: @Sendable (Bool) -> Void
            let thread = Locked<ObjectIdentifier?>(nil)
            init(_ said: @escaping @Sendable (Bool) -> Void) { self.said = said }
            deinit {
                let isOnThread = thread.withLock { $0 == ObjectIdentifier(Thread.current) }
                let said = said
                DispatchQueue.global().async { said(isOnThread) }
            }
        }
        for _ in 0..<100 {
            let isOnThread = await withCheckedContinuation { continuation in
                let load = Locked<Load?>(Load { continuation.resume(returning: $0) })
                let giverHasLetGo = DispatchSemaphore(value: 0)
                func start(_ load: Load) {
                    Thread.propagatingIdentity.detachNewThread {
                        giverHasLetGo.wait()
                        load.thread.withLock { $0 = ObjectIdentifier(Thread.current) }
                    }
                }
                func giveAway() {
                    let last = load.withLock { load in
                        defer { load = nil }
                        return load
                    }
                    if let last { start(last) }
                }
                giveAway()
                giverHasLetGo.signal()
            }
            #expect(isOnThread)
        }
    }
}
