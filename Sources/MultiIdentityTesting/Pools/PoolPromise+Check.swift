import MultiIdentity

extension PoolPromise {
    /// Checks that a pool keeps this promise.
    ///
    /// - Parameter pool: The pool; preferably a new one for each check.
    /// - Returns: That the promise is kept, or why it does not apply.
    /// - Throws: ``PoolViolation`` if it is broken; or an unexpected error of the pool's closures, with the step's name.
    @discardableResult
    public func check(on pool: PoolConformance) async throws -> PromiseOutcome {
        let check = try PoolCheck(promise: self, pool: pool, cast: Cast())
        do {
            switch self {
            case .showsNothingOfAnEarlierLessee: try await check.earlierLessees()
            case .seesNothingWithoutIdentity: try await check.withoutIdentity()
            case .servesOneAtATime: try await check.oneAtATime()
            case .showsNothingAfterThrow: try await check.thrown()
            case .leavesNoSetting: try await check.settings()
            case .destroysWhatWasCancelled: try await check.cancelled()
            case .closesAfterFailedReset: try await check.failedReset()
            case .leavesNoSettingAfterRollback: try await check.rolledBack()
            case .batchesOneIdentity: try await check.batches()
            case .answersEachJoiner: try await check.joiners()
            case .bindsEachWaiter: try await check.waiter()
            case .leavesNothingHalfBound: try await check.halfBound()
            }
            return .kept
        } catch let inapplicable as Inapplicable {
            return .notApplicable(reason: inapplicable.reason)
        }
    }
}
