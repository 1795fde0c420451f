import Dispatch
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Sources under every schedule", .serialized)
struct SourceTests {
    @Test("a timer fires on virtual time until it is cancelled")
    func timer() async throws {
        struct Wrong: Error { let log: [String] }
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 200)) {
            let log = Log<String>()
            let start = DispatchTime.now()
            await withCheckedContinuation { continuation in
                let queue = DispatchQueue(label: "timer")
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(deadline: start + .seconds(60), repeating: .seconds(3_600))
                timer.setEventHandler {
                    log.add("\((DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000_000)")
                    if log.all.count == 3 { timer.cancel() }
                }
                timer.setCancelHandler {
                    log.add("cancelled")
                    continuation.resume()
                }
                timer.resume()
            }
            if log.all != ["60", "3660", "7260", "cancelled"] { throw Wrong(log: log.all) }
        }
        #expect(report.failure == nil)
    }

    @Test("a handler that cancels its own source keeps what it captured until it returns")
    func cancelledFromWithin() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 50)) {
            let log = Log<String>()
            await withCheckedContinuation { continuation in
                let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "data"))
                // As an item, which libdispatch inspects once its work has returned.
                source.setEventHandler(qos: .utility, flags: .enforceQoS) {
                    source.cancel()
                    log.add("handled")
                    continuation.resume()
                }
                source.resume()
                source.add(data: 1)
            }
            if log.all != ["handled"] { throw Wrong("\(log.all)") }
        }
        #expect(report.failure == nil)
    }

    @Test("a handler that is set after a source was cancelled is released immediately")
    func setTooLate() async throws {
        final class Captured: Sendable {}
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 5)) {
            let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "data"))
            source.resume()
            source.cancel()
            weak var weakCaptured: Captured?
            do {
                let captured = Captured()
                weakCaptured = captured
                source.setEventHandler { withExtendedLifetime(captured) {} }
            }
            if weakCaptured != nil { throw Wrong("kept") }
        }
        #expect(report.failure == nil)
    }

    @Test("a released one fires no more")
    func dropped() async throws {
        struct Fired: Error {}
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 50)) {
            let log = Log<Int>()
            do {
                let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
                timer.schedule(deadline: .now() + .seconds(60), repeating: .seconds(60))
                timer.setEventHandler { log.add(1) }
                timer.resume()
            }
            try await Task.sleep(for: .seconds(600))
            if !log.all.isEmpty { throw Fired() }
        }
        #expect(report.failure == nil)
    }

    @Test("data that comes before the handler runs comes as one")
    func data() async throws {
        let sums = Log<[UInt]>()
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 300)) {
            let log = Log<UInt>()
            let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "data"))
            source.setEventHandler { log.add(source.data) }
            source.resume()
            for _ in 0..<3 { source.add(data: 1) }
            try await Task.sleep(for: .seconds(1))
            source.cancel()
            sums.add(log.all)
        }
        #expect(report.failure == nil)
        #expect(Set(sums.all) == [[3], [1, 2], [2, 1], [1, 1, 1]])
    }

    @Test("those for events of the system are refused by name")
    func refused() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 1)) {
            let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
            source.activate()
            source.cancel()
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("dispatch_source_create for events of the system was called") })
    }
}
