/// The end of a check of a ``BoundaryPromise`` or a ``PoolPromise`` that found nothing wrong.
public enum PromiseOutcome: Sendable, Hashable {
    /// The boundary, or the pool, keeps the promise.
    case kept
    /// The promise means nothing for it, or cannot be checked by what is known of it.
    case notApplicable(reason: String)
}

extension BoundaryPromise {
    /// Checks that a boundary keeps this promise.
    ///
    /// Work is handed over from bare threads, from workers of Dispatch, from tasks and from asynchronous scopes, as named
    /// identities, as nobody and with nothing bound. Whatever is bound where this is called plays no part, and is as it
    /// was afterwards.
    ///
    /// - Parameters:
    ///   - boundary: The boundary, best a new one for each check.
    ///   - seed: What the order of random hand-overs comes from (``neverMixesCallers``); a violation tells it.
    /// - Returns: That the promise is kept, or why it does not apply.
    /// - Throws: ``BoundaryViolation`` where it is broken, also if work has not run within the boundary's limit;
    ///   `CancellationError` if the task is cancelled meanwhile.
    @discardableResult
    public func check(
        on boundary: BoundaryConformance,
        seed: UInt64 = .random(in: 0 ... .max)
    ) async throws -> PromiseOutcome {
        let check = try BoundaryCheck(promise: self, boundary: boundary, seed: seed)
        do {
            try await check.run()
            return .kept
        } catch let inapplicable as Inapplicable {
            return .notApplicable(reason: inapplicable.reason)
        }
    }
}

/// The reason why a check has nothing to check.
struct Inapplicable: Error {
    let reason: String
}
