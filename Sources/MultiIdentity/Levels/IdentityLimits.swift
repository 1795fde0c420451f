import CMultiIdentity

/// Limits on what the work of a scope may use; work beyond one is reported once, and goes on.
///
/// ```swift
/// try withIdentity(ada, limits: .init(cpu: .milliseconds(200))) { try store.save(draft) }
/// ```
///
/// They count for the whole tree of work: the scope, the work that is handed over in it, also by that work and after the scope's
/// end, and scopes of other identities in it. A scope in it with limits of its own counts for both. Work that was captured
/// elsewhere does not count, even if it runs in the scope.
///
/// The excess is a finding of the levels' diagnostics (`IdentityFinding.Kind.beyondLimit` of MultiIdentityDiagnostics), on the thread
/// and at the end of the piece of work, or of the scope, that exceeded the limit, or where other limits begin in it: one that never
/// ends is not noticed.
///
/// - Important: A task counts if its executor is an ``IdentityTaskExecutor``, or Swift's own one in automatic mode; the first limit of
///   a process, from its task's next suspension on. Elsewhere only its synchronous scopes, restores and hand-overs count. An executor
///   of yours that hands jobs to an identity queue does so with nothing bound, or they count for the identity that resumed the task.
///
/// - Note: Limits need no accounts (`IdentityAccounts`). While a tree with limits has work, hops of all work cost more, and each piece
///   of the tree reads its thread's clock twice. A tree within trees counts for the 31 innermost of them whose limits are not yet exceeded.
public struct IdentityLimits: Sendable {
    /// The processor time of all work together; none may be used if it is zero or negative.
    public var cpu: Duration

    var clock: @Sendable () -> UInt64 = { mi_thread_cpu_nanoseconds() }

    /// - Parameter cpu: The processor time of all work together; none may be used if it is zero or negative.
    public init(cpu: Duration) { self.cpu = cpu }
}

/// Runs `operation` as `identity`, and reports once if its tree of work uses more than its limits allow.
///
/// - Parameters:
///   - identity: The identity to bind, which can be ``Identity/nobody``; `nil` unsets the thread level inside.
///   - limits: The limits on the work.
///   - fileID: The file where the scope is opened, for explanations.
///   - line: The line where the scope is opened, for explanations.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
/// - Complexity: O(1).
@inlinable @inline(never)
public func withIdentity<Value, Failure: Error>(
    _ identity: Identity?,
    limits: IdentityLimits,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    let outer = openScope(of: identity, within: limits, fileID, line)
    defer { closeScope(outer) }
    return try operation()
}

/// Runs asynchronous `operation` as `identity`, and reports once if its tree of work uses more than its limits allow.
///
/// What counts depends on the task's executor (``IdentityLimits``).
///
/// - Parameters:
///   - identity: The identity to bind, which can be ``Identity/nobody``; `nil` unsets the thread level inside.
///   - limits: The limits on the work.
///   - fileID: The file where the scope is opened, for explanations.
///   - line: The line where the scope is opened, for explanations.
///   - operation: The work.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
/// - Complexity: O(1).
@inlinable
public nonisolated(nonsending) func withIdentity<Value, Failure: Error>(
    _ identity: Identity?,
    limits: IdentityLimits,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let scope = IdentitySnapshot.bindingOfTask(identity, within: limits, fileID, line)
    defer { scope.end() }
    return try await scope.bind(for: operation)
}

@usableFromInline
func openScope(of identity: Identity?, within limits: IdentityLimits, _ fileID: StaticString, _ line: UInt) -> UInt {
    let limit = ReportedLimit(limits, of: identity, CallSite(fileID, line))
    return openObservedScope(of: identity, WorkLimits(limit), fileID, line)
}

extension IdentitySnapshot {
    @usableFromInline
    static func bindingOfTask(
        _ identity: Identity?,
        within limits: IdentityLimits,
        _ fileID: StaticString,
        _ line: UInt
    ) -> IdentitySnapshot {
        let limit = ReportedLimit(limits, of: identity, CallSite(fileID, line))
        return bindingOfTask(identity, WorkLimits(limit), fileID, line)
    }
}

/// The limit of a scope, whose excess is a finding.
private final class ReportedLimit: TimeLimit, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; everything is constant.
    private let identity: Identity?
    private let site: CallSite?
    private let diagnostics = ThreadMirror.current().levels.diagnosticSettings

    init(_ limits: IdentityLimits, of identity: Identity?, _ site: CallSite?) {
        (self.identity, self.site) = (identity, site)
        super.init(UInt64(max(0, min(limits.cpu / .nanoseconds(1), 1e18))), by: limits.clock)
        FeatureUses.shared.count(.limits, by: 1)
    }

    deinit { FeatureUses.shared.count(.limits, by: -1) }

    override func report(_ used: UInt64) {
        let owner = (identity.map { "\($0)" } ?? "no identity") + (site.map { " at \($0)" } ?? "")
        func milliseconds(_ time: UInt64) -> String { "\(Double(time / 100_000) / 10) ms" }
        diagnostics.notify(
            Finding(
                kind: .beyondLimit,
                identity: identity,
                site: site,
                hops: [],
                message: """
                    work of \(owner) has used \(milliseconds(used)) of processor time, over its limit of \
                    \(milliseconds(most)); what is left of it still runs. Do less in it, cancel it, or raise the limit.
                    """
            )
        )
    }
}
