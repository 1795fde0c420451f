extension LeaseDesk {
    /// The attempts to check a resource out, which all have one deadline.
    ///
    /// A resource that was idle can turn out dead. After two that did, all that are idle are taken for dead, and another is opened.
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
        "Several resources in a row were dead before they could be used. See whether what they lead to is reachable."
    )
}
