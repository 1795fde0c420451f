extension LeaseDesk {
    /// The attempts to check out a resource, which share one deadline.
    ///
    /// An idle resource may turn out to be dead. After two dead ones, all idle resources count as dead, and a new one is opened.
    struct Attempt: Sendable {
        private static let most = 3

        private let ledger: LeaseLedger
        private let start: Duration
        private var number = 0
        let deadline: Duration?

        init(_ desk: LeaseDesk) {
            ledger = desk.ledger
            start = ledger.opener == nil ? .zero : ledger.clock.now()
            deadline = ledger.limits.waitTimeout.map { [start] in start + $0 }
        }

        var isLast: Bool { number >= Self.most }
        var isLate: Bool { deadline.map { $0 < ledger.clock.now() } ?? false }

        mutating func begin() {
            number += 1
            if isLast { ledger.evictIdle() }
        }

        func succeeded() {
            guard let observer = ledger.observer else { return }
            observer(.leased(after: ledger.clock.now() - start))
            if ledger.limits.leakThreshold != nil { ledger.arm() }
        }

        func failed(_ error: any Error) -> any Error {
            if let refusal = error as? LeaseError { ledger.observer?(.refused(refusal)) }
            return error
        }
    }

    static let dead = LeaseError(
        .unusable,
        "Several resources in a row were dead before they could be used. Check that the server they connect to is reachable."
    )
}
