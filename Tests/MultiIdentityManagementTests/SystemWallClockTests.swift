import Foundation
import MultiIdentityManagement
import Testing

@Suite("The system's wall clock") struct SystemWallClockTests {
    private let clock = SystemWallClock()

    @Test("is the time of day in milliseconds")
    func now() {
        let milliseconds = { Int64(Date().timeIntervalSince1970 * 1_000) }
        let (before, now, after) = (milliseconds(), clock.now, milliseconds())
        #expect(before...after ~= now.milliseconds)
        #expect(clock.minimumResolution == .milliseconds(1))
    }

    @Test("wakes sleepers at their moment, and at once if it has passed")
    func sleeps() async throws {
        let moment = clock.now.advanced(by: .milliseconds(20))
        let began = ContinuousClock.now
        try await clock.sleep(until: moment, tolerance: nil)
        // A time of day that is set back meanwhile makes no one sleep longer than planned.
        #expect(clock.now >= moment || ContinuousClock.now - began >= .milliseconds(20))
        try await clock.sleep(until: WallInstant(milliseconds: .min), tolerance: nil)
    }

    @Test("releases a cancelled sleeper, however far its moment is")
    func cancelled() async {
        let sleeper = Task { try await clock.sleep(until: WallInstant(milliseconds: .max), tolerance: .seconds(1)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test(
        "shows a moment in RFC 3339, and a moment without a valid year as its number",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "253402300800000 ms"),
            (.max, "9223372036854775807 ms"), (.min, "-9223372036854775808 ms"),
        ] as [(Int64, String)]
    )
    func showsAMoment(_ milliseconds: Int64, _ text: String) {
        #expect("\(WallInstant(milliseconds: milliseconds))" == text)
    }
}
