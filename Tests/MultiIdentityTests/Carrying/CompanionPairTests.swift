import Dispatch
import Testing

@testable import MultiIdentity

/// Like a library with a private task-local.
private enum Library {
    @TaskLocal private static var span: Span?

    static var current: Span? { span }

    static func with<Value>(_ span: Span?, _ body: () -> Value) -> Value {
        $span.withValue(span, operation: body)
    }

    static func with<Value: Sendable>(
        _ span: Span?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        await $span.withValue(span) {
            _ = isolation  // otherwise the closure would leave it
            return await body()
        }
    }

    final class Span: Sendable {
        let name: String
        let hasEnded = Locked(false)
        init(_ name: String) { self.name = name }
    }
}

@Suite("Values in task-locals that cannot be named") struct CompanionPairTests {
    init() {
        IdentityCompanions.carry("CompanionPairTests.span") {
            Library.current
        } binding: { span, work in
            if span?.hasEnded.withLock({ $0 }) == true { work() } else { Library.with(span, work) }
        } bindingAsync: { span, work in
            if span?.hasEnded.withLock({ $0 }) == true { await work() } else { await Library.with(span, work) }
        }
    }

    @Test("cross into detached tasks and through suspensions", .rule("4.9"))
    func tasks() async {
        let task = Library.with(Library.Span("GET /")) {
            Task.propagatingIdentity.detached { () async -> [String?] in
                let before = Library.current?.name
                await Task.yield()
                return [before, Library.current?.name]
            }
        }
        #expect(await task.value == ["GET /", "GET /"])
    }

    @Test("are left out if their binding says so, such as a span that has ended", .rule("4.9"))
    func ended() {
        let span = Library.Span("GET /")
        let snapshot = Library.with(span) { IdentitySnapshot.capture() }
        #expect(snapshot.restore { Library.current?.name } == "GET /")
        span.hasEnded.withLock { $0 = true }
        #expect(snapshot.restore { Library.current?.name } == nil)
    }

    @Test("are registered once for each name")
    func naming() {
        IdentityCompanions.carry("CompanionPairTests.span") {
            1
        } binding: {
            $1()
        } bindingAsync: {
            await $1()
        }
        #expect(CompanionLocals.current?.pairs.count { $0.name == "CompanionPairTests.span" } == 1)
    }

    @Test("are not read or bound for work that their own closures hand over, which is logged once", .rule("4.9"))
    func handingOver() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let (log, seen) = (IdentityQueue(label: "log"), Notes<String?>())
            @Sendable func look() { seen.add(Library.current?.name) }
            IdentityCompanions.carry("logger") {
                log.async(execute: look)
                IdentitySnapshot.capture().restore {}
                return Library.current
            } binding: { span, work in
                Library.with(span) {
                    log.async(execute: look)
                    work()
                }
            } bindingAsync: { span, work in
                await Library.with(span) {
                    await Task.propagatingIdentity.detached(operation: look).value
                    await work()
                }
            }
            let (queue, works) = (IdentityQueue(label: "works"), Notes<String?>())
            let ada = try Identity("ada@contoso.com")
            let task = withIdentity(ada) {
                Library.with(Library.Span("GET /")) {
                    queue.async { works.add(Library.current?.name) }
                    return Task.propagatingIdentity.detached { works.add(Library.current?.name) }
                }
            }
            await task.value
            queue.base.sync {}
            log.base.sync {}
            #expect(works.all == ["GET /", "GET /"])
            #expect(seen.all.count >= 4 && seen.all.allSatisfy { $0 == nil })
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains("hands work over") } == 1, "\(text)")
    }

    @Test("never lose work, or run it twice, because of a faulty binding", .rule("4.9"))
    func wrongBindings() async {
        let never = CompanionClosures(name: "never", read: { 0 }, bind: { _, _ in }, bindAsync: { _, _ in })
        let twice = CompanionClosures(name: "twice", read: { 0 }) { _, work in
            work()
            work()
        } bindAsync: { _, work in
            await work()
            await work()
        }
        for pair in [never, twice] {
            let values = CompanionValues(of: CompanionLocals([], [pair]))
            var runs = 0
            func bind() { values.bind { runs += 1 } }
            bind()
            await values.bind { () async in runs += 1 }
            #expect(runs == 2, "\(pair.name)")
        }
    }

    @Test("keep the order of an actor's detached tasks", .rule("4.7"))
    func order() async {
        let order = Notes<Int>()
        let span = Library.Span("GET /")
        let tasks = await onNewThread {
            (0..<200).map { number in
                Library.with(span) { Task.propagatingIdentity.detached { @MainActor in order.add(number) } }
            }
        }
        for task in tasks { await task.value }
        #expect(order.all == Array(0..<200))
    }
}
