public import MultiIdentity

/// Process-wide counts of each boundary's captures and restores; cheap enough to leave on.
///
/// ```swift
/// HopCounters.areEnabled = true
/// …
/// for (boundary, counts) in HopCounters.read() { print(boundary, counts) }
/// ```
///
/// Each thread has its own counters, without atomic read-modify-write instructions; reading adds them up.
public enum HopCounters: Sendable {
    /// The counts of one boundary.
    public struct Counts: Hashable, Sendable {
        /// The number of captures.
        public let captured: UInt64
        /// The number of times that there was nothing to carry: work ran on the thread that waits for it.
        public let elided: UInt64
        /// The number of times that the worker already had the identity; it bound nothing, unless companions or records are in use.
        public let same: UInt64
        /// The number of times that the worker bound another identity and then restored its own.
        public let swapped: UInt64

        /// The number of times that work ran.
        public var ran: UInt64 { elided + same + swapped }
    }

    /// Indicates whether boundaries count; `false` by default.
    public static var areEnabled: Bool {
        get { BindingFeatures.inUse.contains(.counters) }
        set { BindingFeatures.set(.counters, to: newValue) }
    }

    /// Returns the counts since the process began, for each boundary that counted anything.
    ///
    /// The counters of running threads may change during the call; to measure an interval, take the difference of two readings.
    ///
    /// - Returns: The counts by boundary.
    /// - Complexity: O(*boundaries* × *threads*).
    public static func read() -> [IdentityBoundary: Counts] {
        var read: [IdentityBoundary: Counts] = [:]
        for boundary in IdentityBoundary.all {
            let counts = counts(of: boundary)
            if counts.captured + counts.ran > 0 { read[boundary] = counts }
        }
        return read
    }

    /// Returns the counts of one boundary since the process began.
    ///
    /// - Parameter boundary: The boundary.
    /// - Returns: The counts.
    /// - Complexity: O(*threads*).
    static func counts(of boundary: IdentityBoundary) -> Counts {
        Counts(
            captured: HopEvent.total(.captured, boundary),
            elided: HopEvent.total(.elided, boundary),
            same: HopEvent.total(.same, boundary),
            swapped: HopEvent.total(.swapped, boundary)
        )
    }
}

extension HopCounters.Counts: CustomStringConvertible {
    /// `captured 12, elided 0, same 3, swapped 9`.
    public var description: String { "captured \(captured), elided \(elided), same \(same), swapped \(swapped)" }
}
