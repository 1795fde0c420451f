/// The result of a check of a ``BoundaryPromise`` or a ``PoolPromise`` that found nothing wrong.
public enum PromiseOutcome: Sendable, Hashable {
    /// The boundary, or the pool, keeps the promise.
    case kept
    /// The promise does not apply, or cannot be checked with what is known.
    case notApplicable(reason: String)
}

extension BoundaryPromise {
    /// Checks that a boundary keeps this promise.
    ///
    /// It hands work over from bare threads, Dispatch workers, tasks and asynchronous scopes: as named
    /// identities, as nobody and with nothing bound. What is bound where you call this has no effect, and does not
    /// change.
    ///
    /// - Parameters:
    ///   - boundary: The boundary; preferably a new one for each check.
    ///   - seed: The seed of random hand-overs (``neverMixesCallers``); a violation contains it.
    /// - Returns: Whether the promise is kept or does not apply, with the reason.
    /// - Throws: ``BoundaryViolation`` if it is broken, including work that has not run within the boundary's limit;
    ///   `CancellationError` if the task is cancelled.
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

/// The reason why a check does not apply.
struct Inapplicable: Error {
    let reason: String
}
