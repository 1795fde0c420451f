public import MultiIdentity

/// A check that has to be passed before a managed identity is shown: a PIN, an authentication, a look at the device.
///
/// ```swift
/// let pin = LaunchCheck("PIN") { identity in
///     await askForPIN(of: identity) ? .passed : .failed("wrong PIN")
/// }
/// ```
public struct LaunchCheck: Sendable {
    /// The verdict of a check.
    public enum Verdict: Hashable, Sendable {
        /// The identity may be shown, as far as this check goes.
        case passed
        /// The user backed out.
        case cancelled
        /// The identity must not be shown now, for this reason.
        case failed(String)
    }

    /// The name of the check in results.
    public let name: String
    let verdict: @Sendable (Identity) async throws -> Verdict

    /// A check.
    ///
    /// - Parameters:
    ///   - name: The name of the check in results.
    ///   - verdict: Looks; runs in a task of its own, under the identity that asked for the switch, and is cancelled
    ///     with the switch. Where it throws, the check has failed; where it throws `CancellationError`, it was
    ///     cancelled. What it answers after its time is up is passed over.
    public init(_ name: String, _ verdict: @escaping @Sendable (_ identity: Identity) async throws -> Verdict) {
        self.name = name
        self.verdict = verdict
    }
}
