import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A thread, plain or carrying identity") struct ThreadTests {
    /// The plain and the carrying way to make a thread, which must behave alike.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func make(_ block: @escaping @Sendable () -> Void) -> Thread {
            switch self {
            case .plain: Thread(block: block)
            case .carrying: Thread.propagatingIdentity(block: block)
            }
        }
    }

    @Test("runs its block once, on itself, with its properties", .rule("4.7"), arguments: Kind.allCases)
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
        "shows that it was cancelled, and never runs if that was before its start",
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

    @Test("frees its block's captures while Dispatch still works on the thread", .rule("6.2"))
    func releaseOnTheThread() async {
        /// It uses Dispatch, which must not happen at the very end of the thread.
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
                func giveAway() { if let last = load.take() { start(last) } }
                giveAway()
                giverHasLetGo.signal()
            }
            #expect(isOnThread)
        }
    }

    @TaskLocal private static var first = "-"
    @TaskLocal private static var second = "-"
    @TaskLocal private static var other = 0

    private static var seen: String { "\(Identity.current?.name ?? "unset") \(first) \(second) \(other)" }

    // An exiting thread leaves marks of the address sanitizer on its stack, which make the destructors' own frames look foreign.
    @Test(
        "that exits in carried work leaves nothing bound for code that runs while it ends",
        .rule("3.2"),
        .enabled(if: !Sanitizer.isAddress)
    )
    func exiting() async {
        // In its own process, since named companions stay named.
        await #expect(processExitsWith: .success) {
            IdentityCompanions.carry(ThreadTests.$first, ThreadTests.$second)
            let (ada, long) = (try Identity("ada"), String(repeating: "long ", count: 10))
            let starts: [@Sendable (@escaping @Sendable () -> Void) -> Void] = [
                { Thread.propagatingIdentity.detachNewThread($0) },
                { Thread.detachNewThread(IdentitySnapshot.capture().wrap($0)) },
                { body in
                    let work = IdentitySnapshot.capture().wrap(body)
                    Thread.detachNewThread { withIdentity(.nobody) { work() } }
                },
            ]
            let exits: [@Sendable () -> Void] = [
                { Thread.exit() }, { withIdentity(.nobody) { () -> Void in pthread_exit(nil) } },
                { ThreadTests.$other.withValue(1) { () -> Void in Thread.exit() } },
            ]
            for (identity, start) in [ada, nil].flatMap({ identity in starts.map { (identity, $0) } }) {
                for exit in exits {
                    let seen = await withCheckedContinuation { continuation in
                        let destructor = ThreadDestructor {
                            let before = ThreadTests.seen
                            let restored = withIdentity(ada) { IdentitySnapshot.capture() }.restore { Identity.current }
                            continuation.resume(returning: [before, restored?.name, ThreadTests.seen])
                        }
                        func begin() {
                            start {
                                ThreadDestructor.key.register(destructor)
                                exit()
                            }
                        }
                        withIdentity(identity) {
                            ThreadTests.$first.withValue(long) { ThreadTests.$second.withValue(long, operation: begin) }
                        }
                    }
                    if ThreadTests.bindingsLast { #expect(seen == ["unset - - 0", "ada", "unset - - 0"]) }
                    #expect(seen[0]?.hasPrefix("unset") == true && seen[1] == "ada")
                }
            }
            #expect(long == String(repeating: "long ", count: 10))
        }
    }

    private static var bindingsLast: Bool {
        let asked = ProcessInfo.processInfo.environment["MULTI_IDENTITY_FAST_PATHS"]
        return asked == nil && ConcurrencyRuntime.here.letsBindingsLast
    }
}

/// A destructor that runs on a thread when that thread ends.
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

        /// Runs it when this thread ends.
        func register(_ destructor: ThreadDestructor) {
            pthread_setspecific(key, Unmanaged.passRetained(destructor).toOpaque())
        }
    }

    static let key = Key()

    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
