/// One identity's line of waiting work in a fair queue, and how much it has used.
///
/// Plain memory, which a ``FairLine`` owns: an object would be retained and checked at each step.
struct FairTenant {
    typealias Place = UnsafeMutablePointer<FairTenant>

    /// The identity, or unset; nobody is one too.
    ///
    /// One name has one line, for all its actors and lives.
    let identity: Identity?
    /// What a nanosecond costs it, in units of 2⁻²⁰ of what it costs an identity of weight 1.
    let price: UInt64
    /// What it has used, in nanoseconds at its price: who has used least is next.
    var used: UInt64

    var first: UnsafeMutablePointer<FairPiece>?
    private var last: UnsafeMutablePointer<FairPiece>?
    /// The number of its pieces that run.
    var running = 0
    /// The tenant behind this one in a bucket of the order.
    var next: Place?
    /// True if it has paid for something since it was put into the order.
    var isCharged = false

    init(_ identity: Identity?, weight: Double, used: UInt64) {
        self.identity = identity
        price = UInt64(Double(1 << 20) / weight)
        self.used = used
    }

    /// Adds a piece at the end; returns whether it is the first that waits.
    mutating func add(_ piece: UnsafeMutablePointer<FairPiece>) -> Bool {
        guard let last else {
            (first, last) = (piece, piece)
            return true
        }
        last.pointee.next = piece
        self.last = piece
        return false
    }

    /// Takes the first piece.
    mutating func take() -> UnsafeMutablePointer<FairPiece>? {
        guard let piece = first else { return nil }
        first = piece.pointee.next
        if first == nil { last = nil }
        return piece
    }

    /// Makes it pay for a piece that has run: at least something, so that no weight is unlimited.
    mutating func pay(_ cost: UInt64) {
        let (high, low) = cost.multipliedFullWidth(by: price)
        let due = high >> 20 == 0 ? high << 44 | low >> 20 : .max
        let (sum, isTooMuch) = used.addingReportingOverflow(max(due, 1))
        used = isTooMuch ? .max : sum
    }
}
