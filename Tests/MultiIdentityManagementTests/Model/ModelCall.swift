/// One call of the fuzzer.
///
/// Its meaning depends on the current state, so that a list of calls can be shortened.
struct ModelCall: CustomStringConvertible, Sendable {
    enum Kind: String, Sendable {
        case register, signIn, deregister, deregisterWiping, remove, removeWiping, signOut, readmit
        case wipe, addName, admit, settled, answer, step, quiet, advance, setClock, suspend, lock, kill, crash, start
    }

    var kind: Kind
    var process: Int
    var account: Int
    var roll: UInt64

    var description: String { "\(kind) p\(process) a\(account) \(roll)" }

    private static let weights: [(Kind, Int)] = [
        (.register, 6), (.signIn, 12), (.deregister, 4), (.deregisterWiping, 4), (.remove, 3), (.removeWiping, 4),
        (.signOut, 4), (.wipe, 1), (.addName, 4),
        (.readmit, 2), (.admit, 3), (.settled, 6), (.answer, 34), (.step, 34), (.quiet, 10), (.advance, 12),
        (.setClock, 2),
        (.suspend, 3), (.lock, 4), (.kill, 2), (.crash, 2), (.start, 6),
    ]
    private static let kinds = weights.flatMap { Array(repeating: $0.0, count: $0.1) }

    init(_ dice: inout Dice, in settings: ModelSettings) {
        repeat { kind = Self.kinds[dice.below(Self.kinds.count)] } while settings.excludes(kind)
        (process, account) = (dice.below(settings.processes), dice.below(settings.accounts))
        roll = dice.next()
    }
}

/// The settings of the world that a seed generates.
struct ModelSettings: Sendable, CustomStringConvertible {
    let seed: UInt64
    let processes: Int
    let accounts = 4
    let hasPresence, managesOne, movesClocks, disturbs, hasNames, enrollsAtLaunch, isSilent: Bool

    init(seed: UInt64) {
        var dice = Dice(seed)
        self.seed = seed
        processes = [1, 2, 2, 2, 3][dice.below(5)]
        hasPresence = dice.below(3) > 0
        managesOne = dice.below(5) == 0
        movesClocks = dice.below(2) == 0
        disturbs = dice.below(4) > 0
        hasNames = dice.below(2) == 0
        enrollsAtLaunch = dice.below(4) == 0
        isSilent = dice.below(4) == 0
    }

    func excludes(_ kind: ModelCall.Kind) -> Bool {
        switch kind {
        case .setClock, .suspend: !movesClocks
        case .lock, .kill, .crash: !disturbs
        case .addName: !hasNames
        default: false
        }
    }

    func calls(_ count: Int) -> [ModelCall] {
        var dice = Dice(seed, of: "calls", 0)
        return (0..<count).map { _ in ModelCall(&dice, in: self) }
    }

    /// The times after which a silent service warns, blocks and wipes; in most worlds there are none.
    var silence: (warn: Duration?, block: Duration?, wipe: Duration?) {
        isSilent ? (.seconds(2 * 86_400), .seconds(5 * 86_400), .seconds(9 * 86_400)) : (nil, nil, nil)
    }

    /// The number of calls before all processes come to rest and most checks run.
    var length: Int { [20, 60, 300][Int(seed % 3)] }

    var description: String {
        "seed \(seed), \(processes) processes, \(managesOne ? "one" : "many") managed\(hasPresence ? ", with presence" : "")"
            + "\(hasNames ? ", with names" : "")\(isSilent ? ", with limits" : "")"
    }
}
