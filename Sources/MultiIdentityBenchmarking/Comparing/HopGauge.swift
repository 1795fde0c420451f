/// A value that grows while hops run, such as time or a count; it is read before and after them.
public struct HopGauge: Sendable {
    let name: String
    /// Empty for a count.
    let unit: String
    let margin: Double
    /// True if readings repeat, so that a few rounds suffice.
    let isExact: Bool
    let read: @Sendable () -> Int64

    /// Measures time, in nanoseconds.
    ///
    /// - Parameters:
    ///   - clock: The clock; tests can pass their own.
    ///   - margin: The distance from 1 within which a ratio counts as the same.
    /// - Returns: The gauge, named `time`.
    public static func time(on clock: some Clock<Duration> = ContinuousClock(), margin: Double = 0.02) -> HopGauge {
        let start = clock.now
        return HopGauge(name: "time", unit: "ns", margin: margin, isExact: false) {
            let (seconds, attoseconds) = start.duration(to: clock.now).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// Measures a count that the caller keeps, such as of allocations, system calls or retains; it is compared like
    /// time.
    ///
    /// - Parameters:
    ///   - name: The name of the count in the report.
    ///   - margin: The distance from 1 within which a ratio counts as the same; 0 if nothing else counts meanwhile.
    ///   - read: Returns the count so far; it must not decrease, and reading it must not change it.
    /// - Returns: The gauge.
    public static func count(
        _ name: String,
        margin: Double = 0,
        _ read: @escaping @Sendable () -> Int
    ) -> HopGauge {
        HopGauge(name: name, unit: "", margin: margin, isExact: true) { Int64(read()) }
    }
}
