import Foundation
import MultiIdentity

extension IdentityDoctor {
    /// Examines boundaries, one after the other.
    ///
    /// - Parameter options: The boundaries, and the effort and time limit for each.
    /// - Returns: A finding for each boundary; one that does not answer in time has a finding too.
    public static func examine(_ options: Options = Options()) async -> Diagnosis {
        if options.examinesCompanions { IdentityCompanions.carry(Crossing.$companion) }
        let examiner = Examiner(options)
        let findings = Locked<[Diagnosis.Finding]>([])
        // A thread, since it waits: no queue or pool of the program has to have one to spare.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let found = CataloguedBoundary.rows.filter(options.includes).map(examiner.finding)
                findings.withLock { $0 = found }
                continuation.resume()
            }
        }
        return Diagnosis(platform: .current, findings: findings.withLock { $0 })
    }
}
