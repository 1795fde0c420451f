import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityThreadContext
import Synchronization

/// The features that a program can enable in addition to propagation, all at once.
enum Features {
    /// A task-local that no one names: each request binds its identity in it, and every task-local is carried.
    @TaskLocal private static var user: Identity?
    private static let areOn = Atomic(false)

    static func turnOnAll() throws {
        IdentityRevocation.isOn = true
        HopCounters.areEnabled = true
        Explanation.recordsProvenance = true
        RunningWork.isRecorded = true
        try IdentityCompanions.carryAll()
        #if os(Linux)
        try IdentityThreadContext.turnOn()
        #endif
        areOn.store(true, ordering: .relaxed)
    }

    /// Runs `body` with the task-local of a request bound.
    static func with(_ identity: Identity?, _ body: () -> Void) {
        if areOn.load(ordering: .relaxed) { $user.withValue(identity, operation: body) } else { body() }
    }

    /// Compares the task-local with the expected one; returns `nil` if it is right, or nothing is carried but the identity.
    static func mismatch(_ expected: Identity?) -> Expectation.Difference? {
        guard areOn.load(ordering: .relaxed), user != expected else { return nil }
        return Expectation.Difference(.taskLocal, expected: expected, found: user)
    }

    /// Compares what profilers see of this thread with what is bound here; a task need not be seen.
    static var shownMismatch: Expectation.Difference? {
        guard IdentityThreadContext.isOn else { return nil }
        let pseudonym = mi_thread_context_slot().pointee.map { record in
            String(decoding: UnsafeRawBufferPointer(start: record + 30, count: 16), as: UTF8.self)
        }
        let shown = pseudonym.flatMap(IdentityThreadContext.identity(of:))
        if pseudonym == nil, withUnsafeCurrentTask(body: { $0 != nil }) { return nil }
        let bound = IdentitySnapshot.capture().identity
        let expected = bound?.isNobody == true ? nil : bound
        return shown == expected ? nil : Expectation.Difference(.shown, expected: expected, found: shown)
    }

    /// The work that is recorded as running after the last request; `nil` if there is none after a few seconds at most.
    static var left: String? {
        for _ in 0..<500 {
            if RunningWork.all.isEmpty { return nil }
            Thread.sleep(forTimeInterval: 0.01)  // the last work may be about to end
        }
        let left = RunningWork.all
        return "\(left.count) pieces of work, the oldest of them:\n"
            + left.prefix(10).map(\.description).joined(separator: "\n")
    }
}
