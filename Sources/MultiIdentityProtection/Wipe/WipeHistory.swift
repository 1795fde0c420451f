import MultiIdentity
import MultiIdentityFiles

/// The content of the records of one journal, from the first to the last.
struct WipeHistory {
    /// `nil` if no record could be read.
    private(set) var identity: Identity?
    private(set) var runs = 0
    private(set) var began: Int64?
    private(set) var phase: WipePhase?
    private(set) var count = WipeTally.Count()
    private(set) var isCountExact = true
    private(set) var report: WipeReport?
    /// Indicates whether the last record says that the account was readmitted.
    private(set) var isReadmitted = false
    /// The names of the storages that any of the runs had.
    private(set) var storages: [String] = []
    /// Indicates whether any of the runs had keys.
    private(set) var hasKeys = false
    /// Complete records that this version does not know, or that name another identity.
    private(set) var strangeRecords = 0

    var isComplete: Bool { report?.isComplete == true && phase == nil }

    mutating func take(_ bytes: [UInt8]) {
        guard let (owner, record) = try? WipeRecord.read(bytes), identity == nil || identity == owner else {
            strangeRecords += 1
            return
        }
        identity = owner
        isReadmitted = record == .readmitted
        switch record {
        case .began(let run, let time, let storages, let hasKeys):
            noteLostCount()
            self.storages += storages.filter { !self.storages.contains($0) }
            self.hasKeys = self.hasKeys || hasKeys
            runs = max(runs, run)
            began = began ?? time
            phase = .revoking
        case .phase(let next): phase = next
        case .count(let count): self.count = count
        case .ended(let report):
            self.report = report
            count = WipeTally.Count(files: report.files, bytes: report.bytes, keys: report.keyCount)
            isCountExact = report.isCountExact
            phase = nil
        case .readmitted: break
        }
    }

    /// Records that a run ended: if that was during removal, files removed since the last count are unknown.
    mutating func noteLostCount() {
        if phase == .removing { isCountExact = false }
    }
}
