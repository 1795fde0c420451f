#if canImport(Testing)
import MultiIdentity
public import Testing

/// Fails each test case in which code asks for an identity and has none.
public struct StrictIdentityTrait: TestTrait, SuiteTrait, TestScoping {
    /// `true`: a suite's trait applies to everything in the suite.
    public var isRecursive: Bool { true }

    /// Runs a test case, and records an issue for each place where an identity was missing.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: Runs the test case.
    /// - Throws: The errors of `function`.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        // A suite's trait and the test's own are two scopes of one test.
        if StrictTurn.isHeld { return try await function() }
        let watch = StrictWatch(test)
        try await StrictTurn.take {
            FindingWatch.set(watch)
            defer {
                FindingWatch.set(nil)
                watch.record()
            }
            try await function()
        }
    }
}

extension Trait where Self == StrictIdentityTrait {
    /// Fails a test whose code asks for an identity and has none, and names the place: work that a plain queue lost.
    ///
    /// ```swift
    /// @Test(.strictIdentity, .identity(ada)) func sendsMail() async throws { … }
    /// ```
    ///
    /// It covers all work of the process, under any levels, until the test ends; so wait for the work. It covers every call of
    /// `Identity.required()` and every read of `Identity.current`, except in `IdentityDiagnostics.exempting(_:)`. What other
    /// tests ask in their own tasks is not this test's. But a plain queue's work has no test: whatever asks there fails this
    /// test. Tests with this trait run one after the other; run them with `--no-parallel`, or in a test target without others.
    public static var strictIdentity: Self { StrictIdentityTrait() }
}

/// The findings of a strict test.
struct StrictWatch: FindingResponse {
    private struct Seen {
        var tally = FindingTally()
        /// True if some were on a thread without a test.
        var areUnattributed = false
    }

    private let test: Test
    private let isParallel: Bool
    private let seen = Locked(Seen())

    init(_ test: Test, arguments: [String] = CommandLine.arguments) {
        (self.test, isParallel) = (test, !arguments.contains("--no-parallel"))
    }

    func respond(to finding: Finding) { respond(to: finding, of: Test.current) }

    /// Notes a finding, unless it is another test's.
    func respond(to finding: Finding, of current: Test?) {
        if let current, current != test { return }
        seen.withLock { seen in
            _ = seen.tally.isFirst(finding)
            if current == nil { seen.areUnattributed = true }
        }
    }

    /// Records an issue for each place, where it is in the source, if that is known.
    func record() {
        let seen = seen.withLock { $0 }
        for finding in seen.tally.all {
            Issue.record("\(finding)", sourceLocation: location(of: finding))
        }
        guard seen.areUnattributed, isParallel else { return }
        Issue.record(
            """
            Work without a test, such as a plain queue's, asked for an identity, and other tests may have run at the same time: \
            it can be theirs. Run this test with --no-parallel, or in a test target without others, to know.
            """,
            sourceLocation: test.sourceLocation
        )
    }

    private func location(of finding: Finding) -> SourceLocation {
        // A call passes no path; a plugin's, no place.
        guard let site = finding.site, !site.isGenerated, "\(site.fileID)".contains("/") else {
            return test.sourceLocation
        }
        return SourceLocation(fileID: "\(site.fileID)", filePath: "\(site.fileID)", line: Int(site.line), column: 1)
    }
}

/// The turn of a strict test: one at a time in a process, in the order in which they came.
enum StrictTurn {
    @TaskLocal static var isHeld = false
    /// Finishes when the last one that came has ended.
    private static let last = Locked<AsyncStream<Never>?>(nil)

    static func take(_ body: @Sendable @concurrent () async throws -> Void) async throws {
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        defer { end.finish() }
        let before = last.withLock { last in
            defer { last = ended }
            return last
        }
        // In a task of its own, which is not cancelled with a test that waits.
        if let before { await Task { for await _ in before {} }.value }
        try await $isHeld.withValue(true) { try await body() }
    }
}
#endif
