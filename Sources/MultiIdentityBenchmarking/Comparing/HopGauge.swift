/// Something that grows while hops are made, and is read before and after: time, or a count.
public struct HopGauge: Sendable {
    let name: String
    /// Empty for a count.
    let unit: String
    let margin: Double
    /// True if a few rounds say all there is to say, since readings repeat.
    let isExact: Bool
    let read: @Sendable () -> Int64

    /// Time, in nanoseconds.
    ///
    /// - Parameters:
    ///   - clock: The clock; tests can bring one of their own.
    ///   - margin: How far from 1 a ratio may be and still count as the same.
    /// - Returns: The gauge, named `time`.
    public static func time(on clock: some Clock<Duration> = ContinuousClock(), margin: Double = 0.02) -> HopGauge {
        let start = clock.now
        return HopGauge(name: "time", unit: "ns", margin: margin, isExact: false) {
            let (seconds, attoseconds) = start.duration(to: clock.now).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// A count that the caller keeps, as of allocations, system calls or retains: compared like time, without the noise.
    ///
    /// - Parameters:
    ///   - name: What is counted, as it stands in the report.
    ///   - margin: How far from 1 a ratio may be and still count as the same: 0, where nobody else counts meanwhile.
    ///   - read: The count so far; it must not go down, and must not itself do what it counts.
    /// - Returns: The gauge.
    public static func count(
        _ name: String,
        margin: Double = 0,
        _ read: @escaping @Sendable () -> Int
    ) -> HopGauge {
        HopGauge(name: name, unit: "", margin: margin, isExact: true) { Int64(read()) }
    }
}
