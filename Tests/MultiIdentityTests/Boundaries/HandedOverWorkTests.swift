import Dispatch
import MultiIdentityTesting
import Testing

@testable import MultiIdentity

/// The project's own boundaries keep the promises of adopters' boundaries, with the same checks; `MultiIdentityTestingTests`
/// verifies that those can fail.
@Suite("Work handed over a boundary") struct HandedOverWorkTests {
    @Test(
        "runs as the identity that handed it over, also if many hand over the same closure",
        .rule("4.1"),
        .guide("dispatched work takes the identity of the thread along"),
        arguments: Boundary.all,
        Promises.ofTheCaller
    )
    func caller(_ boundary: Boundary, _ promise: BoundaryPromise) async throws {
        try await expect(promise, of: boundary)
    }

    @Test(
        "is captured at the boundary's capture point, also if unset",
        .rule("4.3", "4.5"),
        arguments: Boundary.all,
        Promises.ofTheMoment
    )
    func moment(_ boundary: Boundary, _ promise: BoundaryPromise) async throws {
        try await expect(promise, of: boundary)
    }

    @Test("can bind another identity for itself, which ends with it", .rule("4.4"), arguments: Boundary.all)
    func rebinding(_ boundary: Boundary) async throws { try await expect(.letsWorkBindAnother, of: boundary) }

    @Test("that was wrapped before runs as the first captured identity", .rule("4.8"), arguments: Boundary.all)
    func wrappedTwice(_ boundary: Boundary) async throws { try await expect(.keepsFirstCapture, of: boundary) }

    @Test(
        "carries its identity on to a task that it starts, and to a boundary within",
        .rule("4.4"),
        arguments: Boundary.all,
        Promises.ofWhatItStarts
    )
    func handingOn(_ boundary: Boundary, _ promise: BoundaryPromise) async throws {
        try await expect(promise, of: boundary)
    }

    @Test("finds that mirror and task-local agree", .rule("3.4"), arguments: Boundary.all)
    func mirror(_ boundary: Boundary) async throws { try await expect(.agreesWithTasks, of: boundary) }

    @Test("leaves its worker unchanged", .rule("4.1"), arguments: Boundary.all)
    func workerAfterwards(_ boundary: Boundary) async throws {
        let isWithinReach = [.queue, .caller].contains(boundary.worker)
        let outcome = try await BoundaryPromise.reinstatesAfterReturn.check(on: boundary.conforming)
        #expect((outcome == .kept) == isWithinReach)
    }

    @Test("leaves its waiting caller unchanged", .rule("4.1"), arguments: Boundary.all)
    func callerAfterwards(_ boundary: Boundary) async throws { try await expect(.leavesItsCallerAlone, of: boundary) }

    @Test("sees the process and UI levels at its run time, not at the capture", .rule("4.2"), arguments: Boundary.all)
    func levels(_ boundary: Boundary) async throws { try await expect(.leavesOtherLevelsLive, of: boundary) }

    @Test("carries custom levels, with an identity and without one", .rule("2.6"), arguments: Boundary.all)
    func ownLevels(_ boundary: Boundary) async throws { try await expect(.carriesCustomLevels, of: boundary) }

    @Test("runs once", arguments: Boundary.all)
    func once(_ boundary: Boundary) async throws { try await expect(.runsExactlyOnce, of: boundary) }

    /// Expects a promise to be kept, or not to apply to this kind of boundary; it also checks that the promise applies to most.
    private func expect(_ promise: BoundaryPromise, of boundary: Boundary) async throws {
        let outcome = try await promise.check(on: boundary.conforming)
        if outcome != .kept {
            #expect(Promises.notOfEach.contains(promise), "\(promise): \(outcome)")
        }
    }
}

/// The promises, by the test that checks them.
private enum Promises {
    static let ofTheCaller: [BoundaryPromise] = [
        .carriesAName, .carriesNobody, .carriesUnset, .outlivesTheScope, .distinguishesCallers, .neverMixesCallers,
    ]
    static let ofTheMoment: [BoundaryPromise] = [.capturesAtItsMoment, .keepsIdentityOnEachRun]
    static let ofWhatItStarts: [BoundaryPromise] = [
        .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork,
    ]

    /// The promises that do not apply to every kind of boundary: those whose caller waits, whose work runs in a task, or runs once.
    static let notOfEach: [BoundaryPromise] = [
        .outlivesTheScope, .keepsIdentityOnEachRun, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork,
    ]
}
