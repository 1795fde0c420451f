import Foundation
import MultiIdentityManagement
import Testing

@Suite("The machine's time of day") struct SystemWallClockTests {
    private let clock = SystemWallClock()

    @Test("is the time of day in milliseconds")
    func now() {
        let milliseconds = { Int64(Date().timeIntervalSince1970 * 1_000) }
        let (before, now, after) = (milliseconds(), clock.now, milliseconds())
        #expect(before...after ~= now.milliseconds)
        #expect(clock.minimumResolution == .milliseconds(1))
    }

    @Test("wakes who sleeps when the moment has come, and at once where it is over")
    func sleeps() async throws {
        let moment = clock.now.advanced(by: .milliseconds(20))
        let began = ContinuousClock.now
        try await clock.sleep(until: moment, tolerance: nil)
        // Set back meanwhile, the time of day lets nobody sleep longer than it was to go.
        #expect(clock.now >= moment || ContinuousClock.now - began >= .milliseconds(20))
        try await clock.sleep(until: WallInstant(milliseconds: .min), tolerance: nil)
    }

    @Test("lets go of a sleeper that is cancelled, however far its moment is")
    func cancelled() async {
        let sleeper = Task { try await clock.sleep(until: WallInstant(milliseconds: .max), tolerance: .seconds(1)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
