import Dispatch
import Testing

@testable import MultiIdentity
@testable import MultiIdentityTesting

@Suite("A strict test", .rule("7.1"), KeepsSuite()) struct StrictIdentityTraitTests {
    @Test(
        "fails for what a plain queue lost, with levels of its own too, and names the place",
        arguments: [true, false]
    )
    func lost(hasLevels: Bool) async throws {
        let issues = try await issues { await inLevels(hasLevels) { await Mailer().sendPlainly() } }
        #expect(issues.count == 3)
        let texts = issues.compactMap { $0.comments.first?.rawValue }
        #expect(texts.first?.hasPrefix("identity: 15 times: Identity.current was read ") == true)
        for (text, asked) in zip(texts, ["readsUser", "readsUser", "requiresUser"]) {
            #expect(text.contains("asked by MultiIdentityTestingTests.Mailer.\(asked)() -> ()"), "\(text)")
            #expect(text.contains(" in MultiIdentityTestingTests.Mailer.sendPlainly()"), "\(text)")
            #expect(text.contains("on queue \"reports.workers\", on thread "), "\(text)")
        }
        let required = try #require(issues.last?.sourceLocation)
        #expect(required.fileID == #fileID && required.line == Mailer.lineOfRequirement)
    }

    @Test("fails for a kept closure that a queue runs, and says to wrap it") func kept() async throws {
        let issues = try await issues {
            let kept = withIdentity(ada) { [Mailer().requiresUser] }
            await withCheckedContinuation { done in
                DispatchQueue(label: "sweeper").async {
                    kept.forEach { $0() }
                    done.resume()
                }
            }
        }
        let text = try #require(issues.first?.comments.first?.rawValue)
        #expect(issues.count == 1 && text.contains("Mailer.requiresUser()") && text.contains("wrap a kept closure"))
    }

    @Test("is green if every hop carries", arguments: [true, false])
    func carried(hasLevels: Bool) async throws {
        let issues = try await issues { await inLevels(hasLevels) { await Mailer().send() } }
        #expect(issues.isEmpty, "\(issues)")
    }

    @Test("finds what strict levels report too, but not what their response asks") func levels() async throws {
        let levels = IdentityLevels()
        levels.diagnosticSettings.respond(by: Asking())
        levels.diagnosticSettings.change { $0.strictness = [.reads] }
        let issues = try await issues { withIdentityLevels(levels) { _ = Identity.current } }
        #expect(issues.count == 1 && levels.diagnosticSettings.findings.map(\.count) == [1])
    }

    @Test("ignores other tests' tasks, and says that work without a test can be theirs, if they run too")
    func others() async throws {
        let (test, suite) = (try #require(Test.current), try #require(KeepsSuite.suite.withLock { $0 }))
        var finding = Finding(kind: .noIdentity, identity: nil, site: nil, hops: [], message: "asked")
        finding.origin = FindingOrigin(callers: [], entry: nil, queue: nil, isInTask: false, thread: 1)
        let asked = finding
        let texts = try await recorded {
            for (arguments, current) in [(["--no-parallel"], nil), ([], test), ([], nil), (["--no-parallel"], suite)] {
                let watch = StrictWatch(test, arguments: arguments)
                watch.respond(to: asked, of: current)
                watch.record()
            }
        }
        .map { $0.comments.first?.rawValue ?? "" }
        #expect(texts.prefix(3).allSatisfy { $0 == "identity: asked\n  on thread 1" })
        #expect(texts.count == 4 && texts.last?.contains("it can be theirs. Run this test with --no-parallel") == true)
    }

    @Test("is the only one at a time, and a suite's trait and the test's own are one") func turns() async throws {
        let test = try #require(Test.current)
        let running = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await StrictIdentityTrait().provideScope(for: test, testCase: nil) {
                        try await StrictIdentityTrait().provideScope(for: test, testCase: nil) {
                            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                            await Task.yield()
                            running.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1 && StrictIdentityTrait().isRecursive)
    }

    /// The issues of a strict test with this body, without the one that says that tests run in parallel.
    private func issues(_ body: @Sendable @escaping @concurrent () async throws -> Void) async throws -> [Issue] {
        let test = try #require(Test.current)
        return try await recorded {
            try await StrictIdentityTrait().provideScope(for: test, testCase: nil, performing: body)
        }
        .filter { $0.comments.first?.rawValue.contains("--no-parallel") != true }
    }

    private func recorded(_ body: () async throws -> Void) async throws -> [Issue] {
        let issues = Locked<[Issue]>([])
        try await withKnownIssue(isIntermittent: true) {
            try await body()
        } matching: { issue in
            issues.withLock { $0.append(issue) }
            return true
        }
        return issues.withLock { $0 }
    }

    private func inLevels(_ areOwn: Bool, _ body: @concurrent () async -> Void) async {
        await withIdentityLevels(areOwn ? IdentityLevels() : .shared) { await withIdentity(ada, body) }
    }
}

/// Keeps its suite, which is another test than those in it.
private struct KeepsSuite: SuiteTrait {
    static let suite = Locked<Test?>(nil)

    func prepare(for test: Test) { Self.suite.withLock { $0 = test } }
}

private struct Asking: FindingResponse {
    func respond(to finding: Finding) { _ = Identity.current }
}

/// Code that hands work over, on the way to the one that asks.
private struct Mailer {
    static let lineOfRequirement = #line + 3

    private func readsUser() { _ = Identity.current }
    fileprivate func requiresUser() { _ = try? Identity.required() }

    func sendPlainly() async {
        let queue = DispatchQueue(label: "reports.workers")
        for _ in 0..<15 {
            await withCheckedContinuation { done in
                queue.async {
                    readsUser()
                    done.resume()
                }
            }
        }
        await withCheckedContinuation { done in
            queue.async {
                requiresUser()
                readsUser()
                done.resume()
            }
        }
    }

    func send() async {
        await withCheckedContinuation { done in
            IdentityQueue(label: "reports.workers").async {
                requiresUser()
                readsUser()
                done.resume()
            }
        }
    }
}
