import Dispatch
import Foundation
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@testable import MultiIdentityDoctor

@Suite("A boundary that is broken", .serialized, .rule("4.5")) struct BrokenBoundaryTests {
    private func verdict(
        captured: Moment = .created,
        limit: Duration = .seconds(120),
        on way: @escaping Way
    ) async -> Diagnosis.Verdict {
        var options = IdentityDoctor.Options()
        options.limit = limit
        let examiner = Examiner(options)
        let boundary = CataloguedBoundary(
            "broken",
            .closures,
            captured: captured,
            on: .queue,
            as: "broken",
            cross: way
        )
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: examiner.finding(of: boundary).carried) }
        }
    }

    @Test("because it runs nothing has its time limit and no more") func silent() async {
        let start = ContinuousClock.now
        let verdict = await verdict(limit: .milliseconds(50)) { crossing in
            crossing.at(.created) {}
        }
        #expect(verdict == Diagnosis.Verdict(.timedOut, "not within 0.05 seconds"))
        #expect(ContinuousClock.now - start >= .milliseconds(100))  // plain and carried
    }

    @Test("because it captures later than promised is distinguished from one that does not") func late() async {
        let verdict = await verdict { crossing in
            crossing.at(.created) {}
            crossing.at(.dispatched) { IdentityQueue(wrapping: crossing.queue).async(execute: crossing.work) }
        }
        #expect(verdict == Diagnosis.Verdict(.mixed, "as the identity that acts when it is dispatched"))
    }

    @Test("because it propagates a name but not the absence of an identity is detected") func unset() async {
        let verdict = await verdict { crossing in
            let captured = crossing.at(.created) { Identity.current }
            crossing.at(.performed) {
                if let captured { withIdentity(captured, crossing.work) } else { crossing.work() }
            }
        }
        #expect(verdict.outcome == .mixed)
    }

    @Test("because it keeps the identity for one piece of work but not for another is detected")
    func half() async {
        let verdict = await verdict(captured: .dispatched) { crossing in
            crossing.at(.dispatched) {
                crossing.queue.propagatingIdentity.async(execute: crossing.part(1, of: 2))
                crossing.queue.async(execute: crossing.part(2, of: 2))
            }
        }
        #expect(verdict == Diagnosis.Verdict(.mixed, "differs from run to run"))
    }

    @Test("because it keeps the identity only outside tasks is reported as such")
    func tasks() async {
        let verdict = await verdict { (crossing: any BoundaryCrossing) -> Void in
            let work = crossing.work
            let captured = crossing.at(.created) { IdentitySnapshot.capture() }
            let isInTask = Self.runsTask
            crossing.queue.async { if isInTask { work() } else { captured.restore(work) } }
        }
        #expect(verdict == Diagnosis.Verdict(.mixed, "outside tasks, kept; in tasks, lost"))
    }

    private static var runsTask: Bool { withUnsafeCurrentTask { task in task != nil } }

    @Test("because it cannot be crossed here says why, and releases what it kept") func refused() async {
        let letGo = Locked<[Bool]>([])
        let verdict = await verdict { crossing in
            crossing.afterwards { letGo.withLock { $0.append(true) } }
            crossing.refuse("there is none left")
        }
        #expect(verdict == Diagnosis.Verdict(.skipped, "there is none left"))
        #expect(letGo.withLock { $0.count } == 2)  // plain and carried
    }
}
