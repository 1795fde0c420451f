import Dispatch
import Testing

@testable import MultiIdentity

@Suite("The mirror of a thread and the task-local always agree") struct ThreadMirrorTests {
    private struct Step: Error {}

    /// Looks before, inside and after every kind of binding.
    private func looks(_ ada: Identity, _ grace: Identity) -> [Look] {
        var looks = [Look()]
        withIdentity(ada) {
            looks.append(Look())
            withIdentity(nil) { looks.append(Look()) }
            looks.append(Look())
            try? withIdentity(grace) { () throws(Step) in
                looks.append(Look())
                throw Step()
            }
            looks.append(Look())
            IdentitySnapshot(of: .nobody).restore { looks.append(Look()) }
            IdentitySnapshot.capture().restore { looks.append(Look()) }
            withIdentityLevels(IdentityLevels()) {
                looks.append(Look())
                withIdentity(grace) { looks.append(Look()) }
                withIdentity(nil) { looks.append(Look()) }
            }
            DispatchQueue(label: "mirror").sync { looks.append(Look()) }
            IdentityQueue(label: "mirror").sync { looks.append(Look()) }
            DispatchWorkItem.propagatingIdentity { withIdentity(grace) {} }.perform()
            looks.append(Look())
        }
        return looks + [Look()]
    }

    private var expected: [Identity?] {
        [nil, ada, nil, ada, grace, ada, .nobody, ada, ada, grace, nil, ada, ada, ada, nil]
    }

    @Test("on a thread, on a worker of a queue, and in a task, where the mirror is not used", .rule("3.4"))
    func everywhere() async {
        for origin in Origin.allCases {
            let looks = await withCheckedContinuation { continuation in
                origin.run { continuation.resume(returning: self.looks(ada, grace)) }
            }
            #expect(looks.map(\.identity) == expected, "\(origin)")
            #expect(!looks.map(\.agree).contains(false), "\(origin)")
        }
        await withIdentity(ada) {
            #expect(Look().agree && Look().identity == ada)
            await Task.yield()
            #expect(Look().agree && Look().identity == ada)
        }
    }

    @Test("in a task that starts at once on a thread with an open scope, and on that thread after it", .rule("3.4"))
    func immediateTask() async {
        let (task, after) = await onNewThread {
            withIdentity(ada) {
                let task = Task.immediate { () async -> [Look] in
                    let first = Look()
                    let bound = withIdentity(grace) { Look() }
                    await Task.yield()
                    return [first, bound, Look()]
                }
                return (task, Look())
            }
        }
        let looks = await task.value + [after]
        #expect(looks.map(\.identity) == [ada, grace, ada, ada])
        #expect(!looks.map(\.agree).contains(false))
    }

    @Test("on a thread that a task blocks while work runs on it", .rule("3.4"))
    func taskInsideWork() async {
        let looks = await withIdentity(ada) {
            await withCheckedContinuation { continuation in
                let inTask = Look()
                let inWork = IdentityQueue(label: "sync").sync { [Look(), withIdentity(grace) { Look() }, Look()] }
                continuation.resume(returning: [inTask] + inWork + [Look()])
            }
        }
        #expect(looks.map(\.identity) == [ada, ada, grace, ada, ada])
        #expect(!looks.map(\.agree).contains(false))
    }

    @Test("a snapshot of nothing equals a thread's initial state")
    func firstState() async {
        let isFirst = await onNewThread {
            ThreadMirror.shows(.nothing) && ThreadMirror.shows(ThreadMirror.current())
        }
        #expect(isFirst)
    }

    @Test("another spelling of the bound identity is bound anyway")
    func spelling() async throws {
        let shouting = try Identity("ADA@CONTOSO.COM")
        let names = await onNewThread {
            withIdentity(ada) {
                let inside = IdentitySnapshot(of: shouting).restore { Identity.current?.name }
                return [inside, Identity.current?.name]
            }
        }
        #expect(names == ["ADA@CONTOSO.COM", "ada@contoso.com"])
    }
}
