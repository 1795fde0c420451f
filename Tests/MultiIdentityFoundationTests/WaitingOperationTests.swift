import Foundation
import MultiIdentity
import Synchronization
import Testing

@testable import MultiIdentityFoundation

@Suite("An operation of another's making that waits in a queue") struct WaitingOperationTests {
    /// Never ready, and counts how often it was asked.
    private final class Unready: Operation, @unchecked Sendable {
        let asked = Atomic(0)

        override var isReady: Bool {
            asked.add(1, ordering: .relaxed)
            return false
        }
    }

    @Test("is looked at ever more seldom while nothing changes, and lets its process sleep")
    func seldom() async throws {
        let operation = Unready()
        // An attendant of its own: others' operations keep the shared one awake.
        let attendant = OperationAttendant()
        let standIn = OperationStandIn(for: operation, BoundaryCapture(at: .operation))
        #expect(attendant.attend(standIn))
        try await Task.sleep(for: .seconds(2))
        withExtendedLifetime(standIn) {}
        let asked = operation.asked.load(ordering: .relaxed)
        #expect((5..<40).contains(asked))
    }

    @Test("is looked at soon after it has changed, then after twice as long each time, to a quarter of a second")
    func pace() {
        var pace = OperationLookPace()
        let waits = (1...8).map { _ in pace.next(hasChanged: false) }
        #expect(waits == [10, 20, 40, 80, 160, 250, 250, 250].map(Duration.milliseconds))
        #expect(pace.next(hasChanged: true) == .milliseconds(5))
        #expect(pace.next(hasChanged: false) == .milliseconds(10))
    }

    @Test("is seen to change within a second after it has waited for one, and what comes beside it at once")
    func changes() async throws {
        let queue = IdentityOperationQueue()
        let gate = HeldOperation()
        queue.addOperation(gate)
        try await Task.sleep(for: .seconds(1))
        let beside = ContinuousClock().measure { queue.addOperations([BlockOperation {}], waitUntilFinished: true) }
        #expect(beside < .seconds(1))
        let after = ContinuousClock().measure {
            gate.open()
            gate.waitUntilFinished()
        }
        #expect(after < .seconds(1))
    }

    /// Ready once it was opened, of which it tells nobody.
    private final class HeldOperation: Operation, @unchecked Sendable {
        private let isOpen = Atomic(false)

        override var isReady: Bool { isOpen.load(ordering: .relaxed) && super.isReady }

        func open() { isOpen.store(true, ordering: .relaxed) }
    }
}
