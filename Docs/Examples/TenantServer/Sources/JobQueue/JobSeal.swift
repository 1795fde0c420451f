import SignedIdentity

/// The content of a job's MAC: all that decides what runs, and as whom.
///
/// A database that others can write to must not decide who somebody is. Covered are the id, so that a row's owner cannot
/// be put beside another's work; the payload; the owner, and who acts for it; and the enrolment, so that a row serves no later account of the same
/// name. Not covered are the state and the times: who can write rows
/// can delay a job, drop it or have it run again, under its own owner.
package struct JobSeal {
    package let id: String
    let kind: String
    let idempotencyKey: String
    let payload: [UInt8]
    let owner: JobOwner
    /// The number of the owner's enrolment; empty where the queue knows none.
    let enrolment: String
    let maximumAttempts: Int
    let enqueuedAt: Int64

    /// The fields, each behind its length, so that no two jobs have the same bytes.
    var bytes: [UInt8] {
        var bytes = Array("tenant-server job seal 2\0".utf8)
        func append(_ field: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(field.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: field)
        }
        let columns = owner.columns
        for text in [id, kind, idempotencyKey, columns.kind, columns.name, columns.key, enrolment] { append(text.utf8) }
        append(payload)
        append("\(maximumAttempts)".utf8)
        append("\(enqueuedAt)".utf8)
        // Behind all else, and only where there are any, so that a row of before keeps its seal.
        if !owner.actors.isEmpty { append(owner.actors.utf8) }
        return bytes
    }

    /// Returns the reason why a row's seal is broken, or `nil` where it is not.
    func flaw(in code: [UInt8], keyID: String, _ keys: KeyRing) -> String? {
        switch keys.isValid(code, for: bytes, keyID: keyID) {
        case true?: nil
        case false?: "its seal is not that of its contents: the row was changed from outside"
        case nil: "the key \(keyID.prefix(64).debugDescription) that sealed it is not in the ring"
        }
    }
}
