import Testing

@testable import IdentityStress

@Suite("A stretch of a run, between two rounds of timing") struct StretchOfARun {
    private let start = ContinuousClock.now

    @Test("lasts a tenth of the time from when it begins, however long the timing before it took")
    func time() {
        var options = StressOptions(seed: 1)
        options.seconds = 10
        var segment = Segment(options, start: start)
        let afterTiming = start + .seconds(8)
        segment.begin(from: 0, at: afterTiming)
        #expect(!segment.isOver(0, at: afterTiming))
        #expect(!segment.isOver(1_000_000, at: afterTiming + .milliseconds(999)))
        #expect(segment.isOver(0, at: afterTiming + .seconds(1)))
    }

    @Test("lasts a tenth of the hops from where it begins, in no hurry")
    func hops() {
        var options = StressOptions(seed: 1)
        options.hops = 1_000
        var segment = Segment(options, start: start)
        segment.begin(from: 300, at: start + .seconds(8))
        #expect(!segment.isOver(399, at: start + .seconds(1_000)))
        #expect(segment.isOver(400, at: start + .seconds(8)))
    }
}
