/// A promise of a pool whose resources serve one identity after the other.
///
/// ```swift
/// @Test(arguments: PoolPromise.allCases) func keeps(_ promise: PoolPromise) async throws {
///     try await promise.check(on: myPool())
/// }
/// ```
public enum PoolPromise: String, Sendable, Hashable, CaseIterable {
    /// A resource shows nothing of an earlier lessee.
    case showsNothingOfAnEarlierLessee
    /// A lease without an identity is refused, or sees nothing.
    case seesNothingWithoutIdentity
    /// A resource serves one lessee at a time.
    case servesOneAtATime
    /// A resource shows nothing of a lessee whose work threw.
    case showsNothingAfterThrow
    /// A resource keeps no setting that a lessee made.
    case leavesNoSetting
    /// A resource is destroyed if its lessee was cancelled.
    case destroysWhatWasCancelled
    /// A resource that cannot be reset is closed.
    case closesAfterFailedReset
    /// A transaction that was rolled back leaves no setting.
    case leavesNoSettingAfterRollback
    /// A batch contains the work of one identity.
    case batchesOneIdentity
    /// A caller that joins running work gets an answer for its own identity.
    case answersEachJoiner
    /// A caller that had to wait for a resource gets it as itself.
    case bindsEachWaiter
    /// If the server dies while a resource is bound, no resource stays half bound.
    case leavesNothingHalfBound

    /// The number of its rule in `Docs/Semantics.md`.
    public var rule: String {
        switch self {
        case .showsNothingOfAnEarlierLessee, .bindsEachWaiter: "14.1"
        case .seesNothingWithoutIdentity: "14.2"
        case .servesOneAtATime: "14.3"
        case .showsNothingAfterThrow, .leavesNoSetting, .destroysWhatWasCancelled, .closesAfterFailedReset,
            .leavesNothingHalfBound:
            "14.4"
        case .leavesNoSettingAfterRollback: "14.6"
        case .answersEachJoiner: "14.10"
        case .batchesOneIdentity: "14.13"
        }
    }
}

extension PoolPromise: CustomStringConvertible {
    /// The promise as a sentence, with its rule.
    public var description: String { "\(sentence) (rule \(rule))" }

    /// The promise as a sentence.
    package var sentence: String {
        switch self {
        case .showsNothingOfAnEarlierLessee: "a resource shows nothing of an earlier lessee"
        case .seesNothingWithoutIdentity: "a lease without an identity is refused, or sees nothing"
        case .servesOneAtATime: "a resource serves one lessee at a time"
        case .showsNothingAfterThrow: "a resource shows nothing of a lessee whose work threw"
        case .leavesNoSetting: "a resource keeps no setting that a lessee made"
        case .destroysWhatWasCancelled: "a resource is destroyed if its lessee was cancelled"
        case .closesAfterFailedReset: "a resource that cannot be reset is closed"
        case .leavesNoSettingAfterRollback: "a transaction that was rolled back leaves no setting"
        case .batchesOneIdentity: "a batch contains the work of one identity"
        case .answersEachJoiner: "a caller that joins running work gets an answer for its own identity"
        case .bindsEachWaiter: "a caller that had to wait for a resource gets it as itself"
        case .leavesNothingHalfBound: "if the server dies while a resource is bound, no resource stays half bound"
        }
    }
}
