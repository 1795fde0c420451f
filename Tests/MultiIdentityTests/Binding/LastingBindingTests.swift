import CMultiIdentity
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A worker's first, lasting binding", .aboutLastingBindings) struct LastingBindingTests {
    private enum Other { @TaskLocal static var value = 0 }

    /// Starts `count` threads one after another, each of which runs work that ada handed over, and ends.
    private static func useThreads(_ count: Int) {
        for _ in 1...count { CThread.run(nil, useThread) }
    }

    private static let useThread: CThread.Body = { _ in
        let ada = try? Identity("ada@contoso.com")
        OnThisThread.runHanded(by: ada) { precondition(Look().identity == ada) }
        precondition(OnThisThread.hasLastingBinding)
        return nil
    }

    @Test("is empty between two pieces of work, and has the identity of each while it runs", .rule("3.4"))
    func holdsEach() async {
        let (looks, lasts) = await onNewThread { () -> ([Look], [Bool]) in
            var (looks, lasts) = ([Look()], [OnThisThread.hasLastingBinding])
            for identity in [ada, grace, nil, .nobody, ada] {
                OnThisThread.runHanded(by: identity) {
                    looks.append(Look())
                    withIdentity(grace) { looks.append(Look()) }
                    withIdentity(nil) { looks.append(Look()) }
                    looks.append(Look())
                }
                looks.append(Look())
                lasts.append(OnThisThread.hasLastingBinding)
            }
            return (looks, lasts)
        }
        let expected = [nil] + [ada, grace, nil, .nobody, ada].flatMap { [$0, grace, nil, $0, nil] }
        #expect(looks.map(\.identity) == expected)
        #expect(looks.allSatisfy { $0.agree })
        #expect(lasts == [false, true, true, true, true, true])
    }

    @Test("is inherited by a task that the work starts, and not by a later one", .rule("3.4"))
    func tasks() async {
        let tasks = await onNewThread { () -> [Task<Identity?, Never>] in
            var tasks: [Task<Identity?, Never>] = []
            for identity in [ada, grace, .nobody] {
                OnThisThread.runHanded(by: identity) { tasks.append(Task { Identity.current }) }
                tasks.append(Task { Identity.current })
            }
            return tasks
        }
        var seen: [Identity?] = []
        for task in tasks { seen.append(await task.value) }
        #expect(seen == [ada, nil, grace, nil, .nobody, nil])
    }

    @Test("does not affect other task-locals, whether they are bound around work or in it", .rule("3.4"))
    func otherTaskLocals() async {
        let (looks, others) = await onNewThread { () -> ([Look], [Int]) in
            var (looks, others): ([Look], [Int]) = ([], [])
            func look() {
                looks.append(Look())
                others.append(Other.value)
            }
            OnThisThread.runHanded(by: ada) { Other.$value.withValue(1) { look() } }
            Other.$value.withValue(2) {
                look()
                OnThisThread.runHanded(by: grace) {
                    look()
                    Other.$value.withValue(3) { withIdentity(ada) { look() } }
                    look()
                }
                look()
            }
            look()
            return (looks, others)
        }
        #expect(looks.map(\.identity) == [ada, nil, grace, ada, grace, nil, nil])
        #expect(looks.allSatisfy { $0.agree })
        #expect(others == [1, 2, 2, 3, 2, 2, 0])
    }

    @Test("is not made above an existing binding, whose end would end it instead", .rule("3.4"))
    func beneath() async {
        let (looks, lasts) = await onNewThread { () -> ([Look], [Bool]) in
            var (looks, lasts): ([Look], [Bool]) = ([], [])
            func run() {
                OnThisThread.runHanded(by: ada) { looks.append(Look()) }
                looks.append(Look())
                lasts.append(OnThisThread.hasLastingBinding)
            }
            Other.$value.withValue(1) { run() }
            withIdentity(nil) { run() }
            withIdentity(grace) { run() }
            looks.append(Look())
            return (looks, lasts)
        }
        #expect(looks.map(\.identity) == [ada, nil, ada, nil, ada, grace, nil])
        #expect(looks.allSatisfy { $0.agree })
        #expect(lasts == [false, false, false])
    }

    @Test("retains no identity once the work has run")
    func letsGo() async {
        let kept = await onNewThread { () -> [Bool] in
            weak var first: IdentityRecord?
            weak var second: IdentityRecord?
            func run(_ name: String) -> IdentityRecord? {
                let identity = try? Identity(name)
                OnThisThread.runHanded(by: identity) {}
                return identity?.spelling.record
            }
            first = run("first-that-lasts@contoso.com")
            second = run("second-that-lasts@contoso.com")
            return [first != nil, second != nil]
        }
        #expect(kept == [false, false])
    }

    @Test("is bound by work that waits inside other work, and then has the outer identity again", .rule("3.4"))
    func nested() async {
        let looks = await onNewThread { () -> [Look] in
            var looks: [Look] = []
            for _ in 1...2 {
                OnThisThread.runHanded(by: ada) {
                    OnThisThread.runHanded(by: grace) { looks.append(Look()) }
                    OnThisThread.runHanded(by: nil) { looks.append(Look()) }
                    looks.append(Look())
                }
                looks.append(Look())
            }
            return looks
        }
        #expect(looks.map(\.identity) == [grace, nil, ada, nil, grace, nil, ada, nil])
        #expect(looks.allSatisfy { $0.agree })
    }

    @Test("is not made on the main thread, where other code binds and unbinds freely", .rule("3.4"))
    func mainThread() async {
        let (looks, lasts) = await onNewThread { () -> ([Look], Bool) in
            // In tests the main thread runs nothing: a worker drains the main queue.
            mi_thread_current().pointee.main_thread = 1
            var looks: [Look] = []
            OnThisThread.runHanded(by: ada) { looks.append(Look()) }
            return (looks + [Look()], OnThisThread.hasLastingBinding)
        }
        #expect(looks.map(\.identity) == [ada, nil])
        #expect(looks.allSatisfy { $0.agree })
        #expect(!lasts)
    }

    #if canImport(Glibc)
    /// A key with a destructor that runs after that of lasting bindings; that one is created first.
    private static let laterKey: pthread_key_t = {
        useThreads(1)
        var key = pthread_key_t()
        let refusal = pthread_key_create(&key) { notes in
            guard let notes else { return }
            let seen = Unmanaged<Notes<(Bool, Look)>>.fromOpaque(notes).takeRetainedValue()
            seen.add((OnThisThread.hasLastingBinding, Look()))
            let grace = try? Identity("grace@contoso.com")
            OnThisThread.runHanded(by: grace) { seen.add((OnThisThread.hasLastingBinding, Look())) }
            seen.add((OnThisThread.hasLastingBinding, Look()))
        }
        precondition(refusal == 0)
        return key
    }()

    @Test("is gone for code that runs after its thread's end, and is made again for carried work there", .rule("3.4"))
    func threadsEnd() async {
        let seen = Notes<(Bool, Look)>()
        await onNewThread {
            _ = Self.laterKey
            CThread.run(Unmanaged.passRetained(seen).toOpaque()) { notes in
                pthread_setspecific(LastingBindingTests.laterKey, notes)
                let seen = notes.map { Unmanaged<Notes<(Bool, Look)>>.fromOpaque($0).takeUnretainedValue() }
                let ada = try? Identity("ada@contoso.com")
                OnThisThread.runHanded(by: ada) { seen?.add((OnThisThread.hasLastingBinding, Look())) }
                return nil
            }
        }
        #expect(seen.all.map(\.0) == [true, false, true, true])
        #expect(seen.all.map(\.1.identity) == [ada, nil, grace, nil])
        #expect(seen.all.allSatisfy { $0.1.agree })
    }

    @Test("is freed with its thread, together with its storage", .rule("3.4"))
    func thread() async {
        await #expect(processExitsWith: .success) {
            Self.useThreads(20)
            let growth = HeapInUse.growth { Self.useThreads(500) } ?? 0
            // A binding takes more than 48 bytes.
            precondition(growth < 500 * 48 / 4, "\(growth) bytes")
        }
    }
    #endif

    // A thread that exits there does not release what its work retained: the address sanitizer reports leaks.
    @Test(
        "ends with its thread, and shows nothing then, also if the thread exits in the work",
        .rule("3.2"),
        .enabled(if: !Sanitizer.isAddress),
        arguments: [false, true]
    )
    func exiting(insideAnotherTaskLocal isInside: Bool) async {
        let look = await withCheckedContinuation { continuation in
            let said = Unmanaged.passRetained(Said(isInside) { continuation.resume(returning: $0) })
            CThread.start(said.toOpaque()) { context in
                guard let context else { return nil }
                let isInside = Unmanaged<Said>.fromOpaque(context).takeUnretainedValue().isInsideAnotherTaskLocal
                OnThisThread.runHanded(by: try? Identity("exiting@contoso.com")) {
                    precondition(OnThisThread.hasLastingBinding)
                    // After the work has begun, so that the package's own key is older, and is destroyed first.
                    pthread_setspecific(Said.key, context)
                    if isInside { Other.$value.withValue(1) { pthread_exit(nil) } }
                    pthread_exit(nil)
                }
                return nil
            }
        }
        #expect(Look.shows(nil, look))
    }

    /// Reports the bindings that are visible when its thread ends.
    private final class Said: Sendable {
        static let key = {
            var key = pthread_key_t()
            let refusal = pthread_key_create(&key) { context in
                guard let context = context as UnsafeMutableRawPointer? else { return }
                Unmanaged<Said>.fromOpaque(context).takeRetainedValue().say(Look())
            }
            precondition(refusal == 0, "No key could be made: \(refusal).")
            return key
        }()

        let isInsideAnotherTaskLocal: Bool
        let say: @Sendable (Look) -> Void

        init(_ isInside: Bool, _ say: @escaping @Sendable (Look) -> Void) {
            isInsideAnotherTaskLocal = isInside
            self.say = say
        }
    }
}
