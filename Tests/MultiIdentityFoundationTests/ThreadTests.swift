import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A thread, plain or carrying identity") struct ThreadTests {
    /// A way to make a thread: what a plain one does, one that carries must do.
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

    @Test("runs its block once, on itself, with what was set on it", .rule("4.7"), arguments: Kind.allCases)
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

    @Test(
        "says when it was cancelled, and never runs if that was before its start",
        .rule("4.7"),
        arguments: Kind.allCases
    )
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

    @Test("frees what its block kept while Dispatch still works on the thread", .rule("6.2"))
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

    /// The place in its block where a thread exits.
    enum ExitPlace: CaseIterable, Sendable {
        case block, scope, valueOfAnotherTaskLocal

        func exit() {
            switch self {
            case .block: Thread.exit()
            case .scope: withIdentity(.nobody) { Thread.exit() }
            case .valueOfAnotherTaskLocal: ThreadTests.$other.withValue(1) { Thread.exit() }
            }
        }
    }

    @TaskLocal private static var other = 0

    // A thread that exits leaves marks of the address sanitizer on its stack, by which the destructors' own frames look foreign.
    @Test(
        "that exits in its block leaves nobody bound for what runs while it ends",
        .rule("3.2"),
        .enabled(if: !Sanitizer.isAddress),
        arguments: ExitPlace.allCases
    )
    func exiting(_ place: ExitPlace) async throws {
        let ada = try Identity("ada@contoso.com")
        let (seen, isLast) = (Notes<[Identity?]>(), Locked(false))
        await withCheckedContinuation { continuation in
            // Destructors run in the order of their keys: two that every thread meets, before and after the package's own.
            let destructors = (0..<2).map { _ in
                ThreadDestructor {
                    let restored = withIdentity(ada) { IdentitySnapshot.capture() }.restore { Identity.current }
                    seen.add([Identity.current, restored, Identity.current])
                    if isLast.withLock({ isLast in
                        defer { isLast = true }
                        return isLast
                    }) {
                        continuation.resume()
                    }
                }
            }
            let thread = withIdentity(ada) {
                Thread.propagatingIdentity {
                    ThreadDestructor.early.register(destructors[0])
                    ThreadDestructor.late.register(destructors[1])
                    place.exit()
                }
            }
            thread.start()
        }
        #expect(seen.all == [[nil, ada, nil], [nil, ada, nil]])
    }

    @Test(
        "that exits in its block leaves nobody bound for the first destructors either, of keys from before the package's",
        .rule("3.2")
    )
    func exitingUnderAnOlderKey() async {
        // In a process of its own, in which nothing was carried before the key is made.
        await #expect(processExitsWith: .success) {
            let (ada, key) = (try Identity("ada@contoso.com"), ThreadDestructor.early)
            let seen = await withCheckedContinuation { continuation in
                let destructor = ThreadDestructor { continuation.resume(returning: Identity.current) }
                let thread = withIdentity(ada) {
                    Thread.propagatingIdentity {
                        key.register(destructor)
                        Thread.exit()
                    }
                }
                thread.start()
            }
            #expect(seen == nil)
        }
    }
}

/// A destructor that runs on a thread when that ends.
private final class ThreadDestructor: Sendable {
    struct Key: Sendable {
        private let key: pthread_key_t

        init() {
            var key = pthread_key_t()
            let refusal = pthread_key_create(&key) { context in
                guard let context = context as UnsafeMutableRawPointer? else { return }
                Unmanaged<ThreadDestructor>.fromOpaque(context).takeRetainedValue().run()
            }
            precondition(refusal == 0, "No key could be made: \(refusal).")
            self.key = key
        }

        /// Has it run when this thread ends.
        func register(_ destructor: ThreadDestructor) {
            pthread_setspecific(key, Unmanaged.passRetained(destructor).toOpaque())
        }
    }

    /// The first that is made, in most processes before anything was bound.
    static let early = Key()
    /// Made once work was carried, which makes the package's own key.
    static let late = {
        let over = DispatchSemaphore(value: 0)
        withIdentity(.nobody) { IdentityQueue.global().async { over.signal() } }
        over.wait()
        return Key()
    }()

    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
