import CSystemCalls
import MultiIdentity

/// A time by the clock of a store, which never goes back and ignores changes of the time of day.
@_spi(Stores) public struct StoreInstant: Hashable, Sendable {
    /// The time for deadlines: it counts all time that may have passed, even while the machine was off.
    public var now: WallInstant
    /// The time that has certainly passed since the store was created, for actions that must not happen early.
    public var elapsed: Duration

    /// Creates a time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - elapsed: The time that has certainly passed since the store was created.
    public init(now: WallInstant, elapsed: Duration) {
        self.now = now
        self.elapsed = elapsed
    }
}

/// Computes the time of a store's clock, in one process that has the store open.
///
/// It is `@_spi`, for this repository's stores in any package.
@_spi(Stores) public final class StoreClock: Sendable {
    /// The clock as its store keeps it, in milliseconds.
    public struct Kept: Hashable, Sendable {
        /// The values of ``StoreInstant``.
        public var now, elapsed: Int64
        /// The time of day when they were computed.
        public var wall: Int64
        /// The machine's ticks at that time and the ID of its boot; the ID is empty if ticks are valid in one process
        /// only.
        public var (ticks, boot): (Int64, String)

        /// Creates the clock from stored values.
        public init(now: Int64, elapsed: Int64, wall: Int64, ticks: Int64 = 0, boot: String = "") {
            (self.now, self.elapsed, self.wall, self.ticks, self.boot) = (now, elapsed, wall, ticks, boot)
        }

        /// The time of the clock.
        public var instant: StoreInstant {
            StoreInstant(now: WallInstant(milliseconds: now), elapsed: .milliseconds(elapsed))
        }
    }

    private let boot: String
    private let wall, ticks: @Sendable () -> Int64
    private let seen = Locked<(now: Int64, ticks: Int64)?>(nil)

    package init(
        boot: String,
        wall: @escaping @Sendable () -> Int64,
        ticks: @escaping @Sendable () -> Int64
    ) { (self.boot, self.wall, self.ticks) = (boot, wall, ticks) }

    /// Creates the clock of a store that the processes of one machine share; it follows a clock other than the
    /// machine's.
    convenience init<Time: Clock>(_ clock: Time) where Time.Instant == WallInstant {
        let wall = { @Sendable in clock.now.milliseconds }
        if clock is SystemWallClock {
            let boot = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(sys_boot_name_size)) { buffer in
                sys_boot_name(buffer.baseAddress)
                return buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
            self.init(boot: boot, wall: wall, ticks: { sys_ticks() })
        } else {
            self.init(boot: "injected", wall: wall, ticks: wall)
        }
    }

    /// Creates the clock of a store that several machines share, which uses its server's time of day.
    public convenience init() {
        self.init(boot: "", wall: { SystemWallClock().now.milliseconds }, ticks: { sys_ticks() })
    }

    /// The clock of a new store.
    var first: Kept {
        let wall = wall()
        return Kept(now: wall, elapsed: 0, wall: wall, ticks: ticks(), boot: boot)
    }

    /// Returns the clock now; store it with the next change.
    ///
    /// - Parameters:
    ///   - kept: The clock as stored last.
    ///   - server: The time of day of the store's server, if it has one.
    /// - Returns: The clock, never behind the stored one.
    public func next(after kept: Kept, by server: Int64? = nil) -> Kept {
        let (wall, ticks) = (server ?? wall(), ticks())
        return seen.withLock { seen in
            let passed =
                !boot.isEmpty && kept.boot == boot
                ? Self.time(from: kept.ticks, to: ticks)
                : seen.map { Self.time(from: kept.now, to: Self.sum($0.now, Self.time(from: $0.ticks, to: ticks))) }
            let next = Kept(
                // Across a reboot only the time of day is known, which can be wrong: no elapsed time is certain.
                now: Self.sum(kept.now, passed ?? Self.time(from: kept.wall, to: wall)),
                elapsed: Self.sum(kept.elapsed, passed ?? 0),
                wall: wall,
                ticks: ticks,
                boot: boot
            )
            seen = (next.now, ticks)
            return next
        }
    }

    /// Converts a time to milliseconds, as stores keep it.
    public static func milliseconds(_ time: Duration) -> Int64 {
        WallInstant(milliseconds: 0).advanced(by: time).milliseconds
    }

    // None of these overflows, since a damaged store can have any number.
    private static func time(from earlier: Int64, to later: Int64) -> Int64 {
        let (time, isTooLong) = later.subtractingReportingOverflow(min(earlier, later))
        return isTooLong ? .max : time
    }

    private static func sum(_ moment: Int64, _ time: Int64) -> Int64 {
        let (sum, isTooFar) = moment.addingReportingOverflow(time)
        return isTooFar ? .max : sum
    }
}
