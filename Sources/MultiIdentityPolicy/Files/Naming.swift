internal import MultiIdentity

/// Whose files are being wiped while names are given and taken; behind the lock under which both are done.
struct Naming: Sendable {
    private var wiped: [Identity: Int] = [:]
    private var moves = 0

    var isWiping: Bool { !wiped.isEmpty }

    func isWiping(_ owner: FileOwner?) -> Bool { owner?.identity.map { wiped[$0] != nil } ?? false }

    mutating func beginWipe(of identity: Identity) { wiped[identity, default: 0] += 1 }

    mutating func endWipe(of identity: Identity) {
        let count = wiped[identity, default: 1] - 1
        wiped[identity] = count > 0 ? count : nil
    }

    /// A name was given to something that a walk may have to see once more, since it may have been where the name is now.
    mutating func noteMove() { moves += 1 }

    /// How often that was; a walk asks before and after.
    var moveCount: Int { moves }
}
