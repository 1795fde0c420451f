import Foundation
import MultiIdentity

/// The features that a program can turn on beside carrying, all of them at once.
enum Features {
    private static let carried = TaskLocal(wrappedValue: 0)

    static func turnOnAll() {
        IdentityRevocation.isOn = true
        HopCounters.areOn = true
        Explanation.recordsProvenance = true
        RunningWork.isRecorded = true
        IdentityCompanions.carry(carried)
    }

    /// The work that is noted as running after the last request; `nil` where none is, some seconds later at most.
    static var left: String? {
        for _ in 0..<500 {
            if RunningWork.all.isEmpty { return nil }
            Thread.sleep(forTimeInterval: 0.01)  // what ran last may just be ending
        }
        let left = RunningWork.all
        return "\(left.count) pieces of work, the oldest of them:\n"
            + left.prefix(10).map(\.description).joined(separator: "\n")
    }
}
