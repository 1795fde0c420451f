import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityTesting
import Testing

@testable import MultiIdentityDoctor

@Suite("Each examined boundary", .serialized, .rule("4.5")) struct ConformanceTests {
    static let carried = CataloguedBoundary.rows.filter { $0.cross != nil }

    /// Each boundary with each promise, except what `HandedOverWorkTests` checks of the core's boundaries.
    static let promised = carried.flatMap { boundary in
        let isOfTheCore = ![.operations, .foundation, .networking].contains(boundary.family)
        return BoundaryPromise.allCases.filter { !isOfTheCore || !ofTheCore.contains($0) }.map { (boundary, $0) }
    }

    private static let ofTheCore: Set<BoundaryPromise> = [
        .carriesAName, .carriesNobody, .carriesUnset, .outlivesTheScope, .keepsIdentityOnEachRun, .letsWorkBindAnother,
        .keepsFirstCapture, .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork, .agreesWithTasks, .distinguishesCallers, .neverMixesCallers, .leavesOtherLevelsLive,
        .carriesCustomLevels,
    ]

    @Test("keeps with this package what a boundary promises", arguments: promised)
    func keeps(_ boundary: CataloguedBoundary, _ promise: BoundaryPromise) async throws {
        try await promise.check(on: boundary.conforming(carries: true))
    }

    @Test("breaks a promise in plain Swift if plain Swift does not keep the identity", arguments: carried)
    func breaks(_ boundary: CataloguedBoundary) async throws {
        var options = IdentityDoctor.Options()
        options.boundaries = [boundary.name]
        options.limit = .seconds(120)
        let finding = try #require(await IdentityDoctor.examine(options).findings.first)
        let plain = boundary.conforming(carries: false)
        var broken: [BoundaryPromise] = []
        for promise in BoundaryPromise.allCases where broken.isEmpty {
            do { try await promise.check(on: plain) } catch is BoundaryViolation { broken.append(promise) }
        }
        #expect(broken.isEmpty == (finding.plain.outcome == .kept), "\(finding.plain), and \(broken) broken")
    }
}

extension CataloguedBoundary {
    /// The same boundary for the suite of promises: the code that hands over acts at the capture, and another identity at other
    /// moments.
    fileprivate func conforming(carries: Bool) -> BoundaryConformance {
        let (captured, cross) = (captured, cross)
        let boundary = BoundaryConformance(name) { work in
            let somebodyElse = IdentitySnapshot(of: try? Identity("somebody.else@doctor.invalid")).identity
            let crossing = Crossing(carries: carries, payload: work) {
                $0 == captured ? .nothingNew : .identity(somebodyElse)
            }
            if let cross { crossing.go(cross) }
        }.within(.seconds(300))
        // Some crossings each take a thread, a process or a descriptor.
        let isDear = reasonToCrossAlone != nil || traits.contains(.dear) || family == .channels
        let known = isDear ? boundary.bounded(to: 64) : boundary
        return isAwaited ? known.awaited() : known
    }
}
