@_spi(Checks) import MultiIdentityTesting

/// Random names from a seed, mostly of scalars that are difficult to normalize and fold.
struct RandomNames {
    private var generator: SeededGenerator
    private let assigned: [Unicode.Scalar]
    private let marks: [Unicode.Scalar]
    private static let letters = Array("aAiIİıßẞſsSKkÅåΣσςΑαᾳᾼΐΰŉǰẖﬀﬃﬅևᏸꭰᎠǅǆÖ가각힣각ぱが".unicodeScalars)

    init(seed: UInt64, among assigned: [Unicode.Scalar]) {
        generator = SeededGenerator(seed: seed)
        self.assigned = assigned
        marks = assigned.filter { $0.properties.canonicalCombiningClass != .notReordered }
    }

    mutating func next() -> String {
        var name = String.UnicodeScalarView()
        // One in 64 is long, so that it has long runs of marks.
        for _ in 0...number(below: number(below: 64) == 0 ? 300 : 12) { name.append(scalar()) }
        return String(name)
    }

    private mutating func scalar() -> Unicode.Scalar {
        switch number(below: 8) {
        case 0...2: element(of: self.marks)
        case 3: element(of: ["\u{345}", "\u{301}", "\u{323}", "\u{307}", "\u{308}", "\u{344}", "\u{3099}"])
        case 4: Unicode.Scalar(0xAC00 + UInt32(number(below: 11_172))) ?? " "
        case 5...6: element(of: Self.letters)
        default: element(of: self.assigned)
        }
    }

    private mutating func element(of scalars: [Unicode.Scalar]) -> Unicode.Scalar {
        scalars[number(below: scalars.count)]
    }

    private mutating func number(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
}
