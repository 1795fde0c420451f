import Foundation
import Testing

@testable import MultiIdentityFiles

@Suite("A log under faults of its disk or process", .rule("11.6")) struct ALogWhoseDiskOrProcessFails {
    enum Change: String, CaseIterable, Codable {
        /// Appending to the log of one process, appending to a shared log, and rewriting the latter.
        case append, share, rewrite

        var after: [String] { self == .rewrite ? ["two"] : ["one", "two", "new"] }

        /// Opens a log of the kind that is changed.
        func open(_ path: String) throws -> OpenLog {
            if self == .append { return .own(try ALogOfRecords.open(path).log) }
            return .shared(try SharedRecordLog.open(path, ALogOfRecords.format) { _ in })
        }

        func make(_ log: OpenLog) throws {
            if case .shared(let log) = log, self == .rewrite {
                var draft = try log.draft()
                try draft.append { $0.add("two".utf8) }
                let isDone = try log.replace(by: &draft, { _ in }, completing: { _ in true }, done: {})
                #expect(isDone)
            } else {
                try log.append("new")
            }
        }
    }

    enum OpenLog {
        case own(RecordLog)
        case shared(SharedRecordLog)

        func append(_ record: String) throws {
            switch self {
            case .own(let log): try log.append(Array(record.utf8))
            case .shared(let log): try log.append({ _ in }, { Array(record.utf8) }, done: {})
            }
        }
    }

    @Test("continues with what it had if a call fails", arguments: Change.allCases, [ENOSPC, EIO])
    func goesOnWithWhatItHadWhereACallFails(_ change: Change, _ code: Int32) throws {
        let folder = TemporaryFolder()
        let counting = StorageFaults()
        try ALogOfRecords.make(folder / "0", ["one", "two"])
        try counting.during { try change.make(change.open(folder / "0")) }
        for number in 1...counting.calls.count {
            for isLasting in [false, true] {
                let path = folder / "\(number)\(isLasting)"
                try ALogOfRecords.make(path, ["one", "two"])
                let before = try ALogOfRecords.bytes(path)
                do {
                    let log = try change.open(path)
                    let plan: StorageFaults.Plan =
                        isLasting ? .failAll(fromCall: number, with: code) : .fail(atCall: number, with: code)
                    let error = #expect(throws: RecordLogError.self) {
                        try StorageFaults(plan).during { try change.make(log) }
                    }
                    #expect(error?.systemError?.code == code)
                    // Removed at once if possible: the process may end before the next record.
                    let left = try ALogOfRecords.bytes(path)
                    if change != .rewrite, !isLasting { #expect(left == before) }
                    try log.append("later")
                }
                let (log, records) = try ALogOfRecords.open(path)
                // The last call of a rewrite comes after the rename.
                let isDone = change == .rewrite && number == counting.calls.count
                // It is whole and cannot be undone, and others may have read it by now.
                let isLeft = change == .share && isLasting && counting.calls[number - 1] == "fsync"
                let expected = isDone ? ["two", "later"] : ["one", "two"] + (isLeft ? ["new"] : []) + ["later"]
                #expect(records == expected, "call \(number)")
                #expect(log.damage.isEmpty)
            }
        }
        // If everything fails from then on, a temporary file cannot be removed either.
        #expect(folder.names.filter { !AtomicReplacement.isTemporary($0) }.count == counting.calls.count * 2 + 1)
    }

    @Test("is old or new after a power cut", arguments: Change.allCases)
    func isOldOrNewWhereThePowerIsCut(_ change: Change) throws {
        let folder = TemporaryFolder()
        try ALogOfRecords.make(folder / "log", ["one", "two"])
        let recorder = try DiskRecorder(folder.path)
        try recorder.faults().during { try change.make(change.open(folder / "log")) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let (log, records) = try ALogOfRecords.open(left / "log")
            #expect(records == change.after || !cut.isAcknowledged && records == ["one", "two"], "\(cut)")
            #expect(log.damage.allSatisfy { $0.isTail }, "\(cut)")
        }
    }

    @Test("has what was added to it shortly before a power cut")
    func hasWhatWasAddedToItMadeAMomentAgoWhereThePowerIsCut() throws {
        let folder = TemporaryFolder()
        let recorder = try DiskRecorder(folder.path)
        try recorder.faults().during {
            let (log, _) = try ALogOfRecords.open(folder / "log")
            for record in ["one", "two"] {
                try log.append(Array(record.utf8))
                recorder.acknowledge()
            }
        }
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let (_, records) = try ALogOfRecords.open(left / "log")
            #expect(["one", "two"].starts(with: records) && records.count >= cut.acknowledgedCount, "\(cut)")
        }
    }

    @Test("is the one that has the name when it is locked")
    func isTheOneThatHasTheNameByTheTimeThatItIsLocked() throws {
        let folder = TemporaryFolder()
        try ALogOfRecords.make(folder / "log", ["old"])
        try ALogOfRecords.make(folder / "other", ["new"])
        let (old, new) = (folder / "log", folder / "other")
        // Another process compacts it between opening and locking.
        let faults = StorageFaults { call in if call.name == "flock" { rename(new, old) } }
        try faults.during {
            let (log, records) = try ALogOfRecords.open(old)
            #expect(records == ["new"])
            try log.append(Array("later".utf8))
        }
        #expect(try ALogOfRecords.open(old).records == ["new", "later"])
    }
}
