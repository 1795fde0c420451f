/// Names made up from a seed, mostly of the scalars that normalising and folding find hard.
struct RandomNames {
    private var state: UInt64
    private let assigned: [Unicode.Scalar]
    private let marks: [Unicode.Scalar]
    private static let letters = Array("aAiIİıßẞſsSKkÅåΣσςΑαᾳᾼΐΰŉǰẖﬀﬃﬅևᏸꭰᎠǅǆÖ가각힣각ぱが".unicodeScalars)

    init(seed: UInt64, among assigned: [Unicode.Scalar]) {
        self.state = seed
        self.assigned = assigned
        self.marks = assigned.filter { $0.properties.canonicalCombiningClass != .notReordered }
    }

    mutating func next() -> String {
        var name = String.UnicodeScalarView()
        // One in 64 is long, so that runs of marks are as well.
        for _ in 0...self.number(below: self.number(below: 64) == 0 ? 300 : 12) { name.append(self.scalar()) }
        return String(name)
    }

    private mutating func scalar() -> Unicode.Scalar {
        switch self.number(below: 8) {
        case 0...2: self.element(of: self.marks)
        case 3: self.element(of: ["\u{345}", "\u{301}", "\u{323}", "\u{307}", "\u{308}", "\u{344}", "\u{3099}"])
        case 4: Unicode.Scalar(0xAC00 + UInt32(self.number(below: 11_172))) ?? " "
        case 5...6: self.element(of: Self.letters)
        default: self.element(of: self.assigned)
        }
    }

    private mutating func element(of scalars: [Unicode.Scalar]) -> Unicode.Scalar {
        scalars[self.number(below: scalars.count)]
    }

    /// SplitMix64, since the generator of the standard library takes no seed (source: Steele, Lea and Flood, 2014).
    private mutating func number(below limit: Int) -> Int {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var bits = self.state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(limit))
    }
}
