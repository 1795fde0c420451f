import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityTesting
import Testing

@Suite("A fair queue keeps the promises of a fair queue") struct FairnessPromiseTests {
    /// A fair queue of one or more places.
    private static func fair(_ measure: IdentityQueue.Draining.Measure, isConcurrent: Bool) -> BoundaryConformance {
        let queue = IdentityQueue(
            label: "fair",
            attributes: isConcurrent ? .concurrent : [],
            draining: .fairly(by: measure)
        )
        return BoundaryConformance("a fair queue by \(measure)") { queue.async(execute: $0) }
    }

    @Test("and those of every boundary", .rule("4"), arguments: BoundaryPromise.allCases, [false, true])
    func everyBoundary(_ promise: BoundaryPromise, _ isConcurrent: Bool) async throws {
        try await promise.check(on: Self.fair(.cpuTime, isConcurrent: isConcurrent))
    }

    @Test("by whatever it shares", arguments: FairnessPromise.allCases, IdentityQueue.Draining.Measure.allCases)
    func keeps(_ promise: FairnessPromise, _ measure: IdentityQueue.Draining.Measure) async throws {
        #expect(try await promise.check(on: Self.fair(measure, isConcurrent: false), places: 1) == .kept)
    }

    @Test("on several threads too") func concurrently() async throws {
        let places = ProcessInfo.processInfo.activeProcessorCount
        let queue = Self.fair(.cpuTime, isConcurrent: true)
        #expect(try await FairnessPromise.keepsNobodyWaiting.check(on: queue, places: places) == .kept)
        let order = try await FairnessPromise.keepsOrderWithinAnIdentity.check(on: queue, places: places)
        #expect(order != .kept)
    }

    @Test("a queue that serves first come, first served, keeps others waiting", .rule("4")) func firstCome() async {
        let plain = BoundaryConformance("first come") { [queue = IdentityQueue(label: "plain")] in
            queue.async(execute: $0)
        }
        await #expect(throws: FairnessViolation.self) {
            try await FairnessPromise.keepsNobodyWaiting.check(on: plain, places: 1)
        }
        await #expect(throws: Never.self) {
            try await FairnessPromise.keepsOrderWithinAnIdentity.check(on: plain, places: 1)
        }
    }

    @Test("a queue that serves the last in line first breaks the order", .rule("4")) func lastFirst() async {
        let (lines, queue) = (Lines(), DispatchQueue(label: "last first"))
        let faulty = BoundaryConformance("last first") { work in
            lines.add(work)
            queue.async { lines.takeLast()() }
        }
        await #expect(throws: FairnessViolation.self) {
            try await FairnessPromise.keepsOrderWithinAnIdentity.check(on: faulty, places: 1)
        }
        await #expect(throws: Never.self) {
            try await FairnessPromise.keepsNobodyWaiting.check(on: faulty, places: 1)
        }
    }

    /// Lines that are served in turn, each from its end.
    private final class Lines: Sendable {
        private let lines = Locked<[(identity: Identity?, work: [@Sendable () -> Void])]>([])

        func add(_ work: @escaping @Sendable () -> Void) {
            let identity = Identity.current
            lines.withLock { lines in
                if let place = lines.firstIndex(where: { $0.identity == identity }) {
                    lines[place].work.append(work)
                } else {
                    lines.append((identity, [work]))
                }
            }
        }

        func takeLast() -> @Sendable () -> Void {
            lines.withLock { lines in
                var line = lines.removeFirst()
                guard let work = line.work.popLast() else { return {} }
                if !line.work.isEmpty { lines.append(line) }
                return work
            }
        }
    }
}
