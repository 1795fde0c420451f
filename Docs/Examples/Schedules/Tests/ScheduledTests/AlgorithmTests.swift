import Dispatch
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Algorithms for streams, on Dispatch, under many schedules", .serialized)
struct AlgorithmTests {
    @Test("debounce: of several that come at once one is passed on, after the interval", .everySchedule(atMost: 2_000))
    func debounce() async {
        let passed = Log<String>()
        let began = DispatchTime.now()
        await withCheckedContinuation { continuation in
            let debounce = Debounce<String>(.seconds(60)) { value in
                passed.add(value)
                #expect(DispatchTime.now() >= began + .seconds(60))
            }
            let group = DispatchGroup()
            for value in ["a", "b"] { DispatchQueue(label: value).async(group: group) { debounce.send(value) } }
            // An hour of virtual time later.
            group.notify(queue: .global()) {
                DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { continuation.resume() }
            }
        }
        #expect(passed.all.count == 1)
    }

    @Test(
        "merge: a serial collector keeps each source's order, and loses nothing",
        .schedules(ScheduleSettings(.random(seed: 1), schedules: 1_000))
    )
    func merge() async {
        let merged = Merge([["a1", "a2"], ["b1", "b2"]], on: DispatchQueue(label: "collector"))
        let values = await merged.values.reduce(into: []) { $0.append($1) }
        #expect(values.filter { $0.hasPrefix("a") } == ["a1", "a2"])
        #expect(values.filter { $0.hasPrefix("b") } == ["b1", "b2"])
    }

    @Test("merge: with a concurrent collector a schedule is found in which a source's order is lost")
    func brokenMerge() async throws {
        let settings = ScheduleSettings(.priorities(seed: 1), schedules: 1_000)
        let report = try await exploreSchedules(settings) {
            let collector = DispatchQueue(label: "collector", attributes: .concurrent)
            let values = await Merge([["a1", "a2"], ["b1"]], on: collector).values.reduce(into: []) { $0.append($1) }
            if values.filter({ $0.hasPrefix("a") }) != ["a1", "a2"] { throw Wrong("\(values)") }
        }
        let failure = try #require(report.failure)
        #expect(failure.findings.contains { $0.contains("a2") })
    }
}
