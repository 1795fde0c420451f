extension BoundaryViolation {
    /// The fate of the identity, for code that counts or sorts violations.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing was bound where somebody's identity, or nobody's, had to be.
        case lost
        /// Somebody else's was bound: the worst of all.
        case mixed
        /// It outlived its work: a worker or a caller kept it.
        case leftBehind = "left behind"
        /// Something else is wrong, as work that does not run or is still kept.
        case other
    }
}

extension BoundaryViolation.Kind {
    init(expected: BoundaryViolation.Finding, found: BoundaryViolation.Finding, _ cause: LikelyCause) {
        guard case .identity(let expected) = expected, case .identity(let found) = found, expected != found else {
            self = .other
            return
        }
        switch cause {
        case _ where found == nil: self = .lost
        case .notReinstated, .callerChanged: self = .leftBehind
        default: self = .mixed
        }
    }
}
