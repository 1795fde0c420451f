import Dispatch
import Foundation
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Strict mode") struct StrictModeTests {
    @Test(
        "reports a required identity if none is bound, and names no one, whatever was bound there before",
        .rule("7.1")
    )
    func requirements() async throws {
        let found = FindingNotes { $0.strictness = [.requirements] }
        await onNewThread {
            withIdentityLevels(found.levels) {
                withIdentity(ada, fileID: "App/Handler.swift", line: 12) {}
                _ = try? Identity.required(fileID: "App/Store.swift", line: 30)
                _ = Identity.current  // this setting does not cover it
            }
        }
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .noIdentity && finding.queue == nil)
        #expect(finding.site?.description == "App/Store.swift:30")
        #expect(
            finding.message == """
                Identity.required() was called where no identity is bound, at App/Store.swift:30. No boundary handed \
                this work over: it began here, or a plain queue, thread or detached task brought it, which carries \
                nothing. Bind one where the work begins, hand work over through propagatingIdentity, and wrap a kept \
                closure with IdentitySnapshot.capture().wrap.
                """
        )
    }

    @Test("reports work that was handed over with nothing bound, and its hop", .rule("7.1"))
    func handedOverUnset() async throws {
        let found = FindingNotes { $0.strictness = [.reads] }
        await withCheckedContinuation { continuation in
            Origin.thread.run {
                withIdentityLevels(found.levels) {
                    withIdentity(ada, fileID: "App/Handler.swift", line: 12) {}
                    let work: @Sendable () -> Void = {
                        _ = Identity.current
                        continuation.resume()
                    }
                    IdentityQueue(label: "mail").async(execute: work, fileID: "App/Mail.swift", line: 40)
                }
            }
        }
        let finding = try #require(found.all.first)
        #expect(finding.hops.map(\.description) == ["async on \"mail\", captured at App/Mail.swift:40"])
        #expect(finding.message.contains("Nothing was bound where the work was handed over. Bind one where"))
        #expect("\(finding)".hasSuffix("\n  came by async on \"mail\", captured at App/Mail.swift:40"))
    }

    @Test("reports reads, but not if there is an identity or a level that is set", .rule("7.1"))
    func reads() {
        let found = FindingNotes(process: ada) { $0.strictness = [.reads] }
        withIdentityLevels(found.levels) {
            _ = withIdentity(ada) { Identity.current }
            _ = withIdentity(.nobody) { Identity.current }
            _ = EffectiveIdentity.current(for: .files)
            _ = try? Identity.required()
            #expect(found.all.isEmpty)
            _ = Identity.current
            #expect(found.all.count == 1)
            found.levels.process = nil
            _ = EffectiveIdentity.current(for: .files)
            #expect(found.all.count == 2)
        }
        #expect(found.all.allSatisfy { $0.kind == .noIdentity })
    }

    @Test("applies only to its own levels, and to none while it is off", .rule("7.1"))
    func alone() {
        let found = FindingNotes { $0.strictness = [.reads, .requirements] }
        _ = Identity.current
        withIdentityLevels(IdentityLevels()) { _ = Identity.current }
        found.levels.diagnostics.strictness = []
        withIdentityLevels(found.levels) { _ = Identity.current }
        #expect(found.all.isEmpty)
    }

    @Test("says where: the queue, the thread, and the program's functions that asked", .rule("7.1"))
    func origin() async throws {
        let (found, read) = (FindingNotes { $0.strictness = [.reads] }, Notes<Identity?>())
        await withCheckedContinuation { continuation in
            withIdentityLevels(found.levels) {
                IdentityQueue(label: "mail").async {
                    0.index { 0.index { 0.index { read.add(Identity.current) } } }
                    continuation.resume()
                }
            }
        }
        let finding = try #require(found.all.first)
        #expect(finding.queue == "mail" && finding.thread != nil && finding.count == 1)
        let index = "(extension in MultiIdentityTests):Swift.Int.index<A>(() throws -> A) throws -> A"
        #expect(finding.callers.count == 4 && finding.callers[1] == index, "\(finding.callers)")
        let closure = "MultiIdentityTests.StrictModeTests.origin() async throws -> ()"
        #expect(finding.callers[0].hasPrefix("closure #1") && finding.callers[0].hasSuffix(closure))
        #expect(finding.callers[3].hasPrefix("closure #1 @Sendable () -> () in closure #1"))
        #expect("\(finding)".contains("\n  asked by closure #1"))
        #expect("\(finding)".contains("\n  in work that began in closure #1 @Sendable () -> () in closure #1"))
        #expect("\(finding)".contains("\n  on queue \"mail\", on thread "))
    }

    @Test("reports each place once, and counts its findings until it has another response", .rule("7.1"))
    func repeats() {
        let found = FindingNotes { $0.strictness = [.reads] }
        withIdentityLevels(found.levels) {
            for _ in 0..<15 { _ = Identity.current }
            0.index { _ = Identity.current }
            0.index { _ = Identity.current }
            0.index { _ = EffectiveIdentity.current(for: .files) }
        }
        #expect(found.all.map(\.count) == [1, 1, 1, 1])
        #expect(found.all.map(\.callers.count) == [3, 3, 3, 3], "the work begins in one of them")
        let counted = found.levels.diagnostics.findings
        #expect(counted.map(\.count) == [15, 1, 1, 1])
        #expect(counted.first?.description.hasPrefix("identity: 15 times: Identity.current was read") == true)
        found.levels.diagnostics.response = .report { _ in }
        #expect(found.levels.diagnostics.findings.isEmpty)
    }

    @Test("reports the places after the first thousand each time, and keeps none of them", .rule("7.1"))
    func bounded() {
        var tally = FindingTally()
        let reported = [1, 2].map { _ in
            (0..<1_100).count { place in
                var finding = Finding(kind: .noIdentity, identity: nil, site: nil, hops: [], message: "\(place)")
                finding.origin = FindingOrigin(callers: [], entry: nil, queue: nil, isInTask: false, thread: 1)
                return tally.isFirst(finding)
            }
        }
        #expect(reported == [1_100, 100])
        #expect(tally.all.count == 1_000 && tally.all.allSatisfy { $0.count == 2 })
    }

    @Test("is silent in an exempt scope, and not in a task that survives it", .rule("7.1"))
    func exempt() async throws {
        let found = FindingNotes { $0.strictness = [.reads, .requirements] }
        let (started, ended) = (Gate(), Gate())
        let tasks = try await withIdentityLevels(found.levels) {
            let early = IdentityDiagnostics.exempting {
                _ = Identity.current
                return Task {
                    await ended.wait()
                    _ = Identity.current
                }
            }
            return try await IdentityDiagnostics.exempting {
                _ = try? Identity.required()
                await Task.yield()
                _ = Identity.current
                let task = Task {
                    _ = Identity.current
                    started.open()
                    await ended.wait()
                    _ = Identity.current
                }
                await started.wait()
                try #require(found.all.isEmpty)
                return [early, task]
            }
        }
        ended.open()
        for task in tasks { await task.value }
        #expect(found.all.map(\.queue) == [nil, nil])
        #expect(found.all.allSatisfy { $0.callers.first?.hasPrefix("closure #1") == true })
        withIdentityLevels(found.levels) { _ = Identity.current }
        #expect(found.all.count == 3)
    }

    @Test("does not report its own response", .rule("7.1"))
    func response() {
        let levels = IdentityLevels()
        let (calls, done) = (Notes<Identity?>(), DispatchSemaphore(value: 0))
        levels.diagnostics.strictness = [.reads]
        levels.diagnostics.response = .report { _ in
            calls.add(Identity.current)
            IdentityQueue(label: "told").async {
                _ = Identity.current
                done.signal()
            }
        }
        withIdentityLevels(levels) { _ = Identity.current }
        done.wait()
        #expect(calls.all == [nil])
    }

    @Test("finds work that outlives its scope by more than the grace, once a scope", .rule("7.2"))
    func outlived() throws {
        let shouted = try Identity(ada.name.uppercased())
        let found = FindingNotes {
            $0.strictness = [.outlivedScopes]
            $0.grace = .zero
        }
        let snapshot = withIdentityLevels(found.levels) {
            withIdentity(shouted, fileID: "App/Handler.swift", line: 12) { () -> IdentitySnapshot in
                let snapshot = IdentitySnapshot.capture()
                snapshot.restore {}
                #expect(found.all.isEmpty, "the scope is open")
                return snapshot
            }
        }
        snapshot.restore {}
        snapshot.restore {}
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .outlivedScope)
        #expect(finding.identity?.name == shouted.name)
        #expect(finding.message.hasPrefix("work runs as \(shouted.name) "))
        #expect(finding.message.contains("after the end of the scope at App/Handler.swift:12 that bound it"))
    }

    @Test("does not report work that ends within the grace", .rule("7.2"))
    func withinGrace() {
        let found = FindingNotes { $0.strictness = [.outlivedScopes] }
        let snapshot = withIdentityLevels(found.levels) { withIdentity(ada) { IdentitySnapshot.capture() } }
        snapshot.restore {}
        #expect(found.levels.diagnostics.grace == .seconds(60))
        #expect(found.all.isEmpty)
    }

    @Test("stops the program if requested, with the finding as the message", .rule("7.1"))
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            IdentityDiagnostics.shared.strictness = [.requirements]
            IdentityDiagnostics.shared.response = .trap
            _ = try? Identity.required()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Identity.required() was called where no identity is bound"))
    }

    @Test("writes to standard error by default, and how often when the program exits", .rule("7.1"))
    func log() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            IdentityDiagnostics.shared.strictness = [.reads]
            for _ in 0..<3 { _ = Identity.current }
            _ = EffectiveIdentity.current(for: .files)
            exit(EXIT_SUCCESS)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("identity: ") }
        #expect(lines.first?.hasPrefix("identity: Identity.current was read where no identity is bound") == true)
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("identity: 3 times: Identity.current was read") == true, "at exit")
    }
}

/// Some functions of a program, in a type of the system's.
extension Int {
    @inline(never) fileprivate func index<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}
