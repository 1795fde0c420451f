public import MultiIdentity

/// A check that must pass before a managed identity is shown, such as a PIN or a check of the device.
///
/// ```swift
/// let pin = LaunchCheck("PIN") { identity in
///     await askForPIN(of: identity) ? .passed : .failed("wrong PIN")
/// }
/// ```
public struct LaunchCheck: Sendable {
    /// The verdict of a check.
    public enum Verdict: Hashable, Sendable {
        /// This check allows the identity to be shown.
        case passed
        /// The user cancelled.
        case cancelled
        /// The identity must not be shown now, for this reason.
        case failed(String)
    }

    /// The name of the check in results.
    package let name: String
    let verdict: @Sendable (Identity) async throws -> Verdict

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - name: The name of the check in results.
    ///   - verdict: Performs the check. It runs in its own task, under the identity that requested the switch, and is
    ///     cancelled with the switch. If it throws `CancellationError`, the check was cancelled; any other error fails
    ///     it. An answer after the deadline is ignored.
    public init(_ name: String, _ verdict: @escaping @Sendable (_ identity: Identity) async throws -> Verdict) {
        self.name = name
        self.verdict = verdict
    }
}
