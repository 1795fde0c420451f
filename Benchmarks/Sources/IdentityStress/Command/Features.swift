import Foundation
import MultiIdentity
import MultiIdentityDiagnostics

/// The features that a program can enable in addition to propagation, all at once.
enum Features {
    private static let carried = TaskLocal(wrappedValue: 0)

    static func turnOnAll() {
        IdentityRevocation.isOn = true
        HopCounters.areEnabled = true
        Explanation.recordsProvenance = true
        RunningWork.isRecorded = true
        IdentityCompanions.carry(carried)
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
