internal import Dispatch
import MultiIdentity
import MultiIdentityFiles

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// One run of a wipe, from its journal's first record to its report.
struct WipeRun: Sendable {
    let wipe: IdentityWipe
    let running: RunningWipe
    var identity: Identity { running.identity }

    init(_ wipe: IdentityWipe, _ running: RunningWipe) {
        self.wipe = wipe
        self.running = running
    }

    func outcome(_ purpose: WipeJournal.Purpose) async -> RunningWipe.Outcome {
        let opened = await WipeThread.blocking { [self] in
            Result { () throws(WipeError) in try begun(purpose) }
        }
        switch opened {
        case .failure(let error): return .failure(error)
        case .success(.none):
            wipe.isComplete(identity)
            return .success(nil)
        case .success(.complete(let report)):
            wipe.isComplete(identity)
            return .success(report)
        case .success(.journal(let journal)):
            // From here on it is on the disk that this identity is being wiped; before anything else, nobody readmits
            // it.
            wipe.hold(identity)
            let report = await report(journal)
            if report.isComplete { wipe.isComplete(identity) }
            return .success(report)
        }
    }

    /// Opens the journal and notes that this run begins.
    private func begun(_ purpose: WipeJournal.Purpose) throws(WipeError) -> WipeJournal.Opened {
        let opened = try WipeJournal.open(identity, in: wipe.journals, purpose)
        guard case .journal(let journal) = opened else { return opened }
        do throws(RecordLogError) {
            try journal.note(.began(run: journal.history.runs + 1, at: Self.now, with: wipe.places))
        } catch {
            journal.removeUnbegun()
            journal.close()
            throw WipeError(error)
        }
        return opened
    }

    static var now: Int64 { Int64(time(nil)) }

    private func report(_ journal: WipeJournal) async -> WipeReport {
        let steps = WipeSteps(wipe, running, journal)
        await steps.revokeAndDrain()
        await steps.handle()
        await steps.removeFiles()
        await steps.destroyKeys()
        return await steps.end()
    }
}
