import CSystemCalls

/// A time of day in milliseconds; it means the same after a restart, and in another process.
public struct WallInstant: InstantProtocol {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates a time from milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter milliseconds: The milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the time later by a duration, clamped to the first and last time possible.
    ///
    /// - Parameter duration: The duration, truncated to milliseconds.
    /// - Returns: The other time.
    public func advanced(by duration: Duration) -> WallInstant {
        let parts = duration.components
        let (whole, isTooLong) = parts.seconds.multipliedReportingOverflow(by: 1_000)
        let edge: Int64 = parts.seconds < 0 ? .min : .max
        if isTooLong { return WallInstant(milliseconds: edge) }
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(whole + parts.attoseconds / 1_000_000_000_000_000)
        return WallInstant(milliseconds: isTooFar ? edge : sum)
    }

    /// Returns the duration from this time to another one.
    ///
    /// - Parameter other: The other time.
    /// - Returns: The duration; negative if the other time is earlier.
    public func duration(to other: WallInstant) -> Duration {
        let (difference, isTooLong) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return .milliseconds(isTooLong ? (other < self ? .min : .max) : difference)
    }

    /// Returns whether one time is before the other.
    public static func < (one: WallInstant, other: WallInstant) -> Bool { one.milliseconds < other.milliseconds }
}

extension WallInstant: CustomStringConvertible {
    /// The time in RFC 3339 format, such as `2026-11-26T01:20:00.000Z`.
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(sys_time_text_size)) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            sys_time_text_of(milliseconds, start)
            return String(cString: start)
        }
    }
}
