import Dispatch
import MultiIdentity

/// Crosses boundaries, and says what became of the identity.
struct Examiner: Sendable {
    private let options: IdentityDoctor.Options
    private let cast = Cast()

    init(_ options: IdentityDoctor.Options) { self.options = options }

    func finding(of boundary: ExaminedBoundary) -> Diagnosis.Finding {
        let plain = boundary.plain.map { verdict(on: $0, of: boundary) }
        let carried: Diagnosis.Verdict? =
            if options.sabotaged.contains(boundary.name) {
                boundary.plain.map { verdict(on: $0, of: boundary, isSabotaged: true) }
            } else {
                boundary.carried.map { verdict(on: $0, of: boundary) } ?? plain
            }
        let missing = Diagnosis.Verdict(.missing, boundary.carrier.reasonForLack)
        return Diagnosis.Finding(
            boundary: boundary.name,
            family: boundary.family.rawValue,
            plain: plain ?? missing,
            carried: carried ?? missing,
            spelling: boundary.carrier.spelling,
            captured: carried?.outcome == .kept ? boundary.captured?.rawValue : nil,
            extraAllocations: boundary.extraAllocations,
            countedAllocations: countedAllocations(of: boundary)
        )
    }

    // MARK: Verdicts

    private func verdict(
        on way: @escaping Way,
        of boundary: ExaminedBoundary,
        isSabotaged: Bool = false
    ) -> Diagnosis.Verdict {
        guard let captured = boundary.captured else { return Diagnosis.Verdict(.missing) }
        let deadline = DispatchTime.now() + .nanoseconds(options.limit.wholeNanoseconds)
        var trials: [Trial] = []
        for (casting, origin) in crossings(of: boundary) {
            let plan = Plan(casting: casting, captured: captured, cast: cast)
            let outcome = Crossing(plan, isSabotaged: isSabotaged).go(
                way,
                from: origin,
                around: plan.around,
                until: deadline
            )
            switch outcome {
            case .notes(let notes): trials.append(Trial(plan: plan, origin: origin, notes: notes))
            case .refused(let reason): return Diagnosis.Verdict(.notExamined, reason)
            case .noAnswer: return Diagnosis.Verdict(.noAnswer, "not within \(options.limit)")
            }
        }
        return Diagnosis.Verdict(on: trials)
    }

    private func crossings(of boundary: ExaminedBoundary) -> [(Plan.Casting, Origin)] {
        if boundary.isDear {
            return zip(Plan.Casting.allCases, Origin.allCases + Origin.allCases).map { ($0, $1) }
        }
        let once = Plan.Casting.allCases.flatMap { casting in Origin.allCases.map { (casting, $0) } }
        return Array(repeating: once, count: max(1, options.repetitions)).flatMap(\.self)
    }

    // MARK: Allocations

    /// How many allocations carrying adds, at the median of many crossings.
    private func countedAllocations(of boundary: ExaminedBoundary) -> Int? {
        guard let count = options.allocationCount, let plain = boundary.plain, let carried = boundary.carried,
            let plainCount = allocations(of: plain, boundary, count),
            let carriedCount = allocations(of: carried, boundary, count)
        else { return nil }
        return carriedCount - plainCount
    }

    private func allocations(of way: @escaping Way, _ boundary: ExaminedBoundary, _ count: () -> Int) -> Int? {
        guard let captured = boundary.captured else { return nil }
        let plan = Plan(casting: .somebody, captured: captured, cast: cast)
        let deadline = DispatchTime.now() + .nanoseconds(options.limit.wholeNanoseconds)
        let counts = (0..<(boundary.isDear ? 21 : 101)).compactMap { _ -> Int? in
            let before = count()
            guard case .notes = Crossing(plan).go(way, from: .thread, around: nil, until: deadline) else { return nil }
            return count() - before
        }
        return counts.isEmpty ? nil : counts.sorted()[counts.count / 2]
    }
}

/// One crossing, and what its work found.
struct Trial: Sendable {
    let plan: Plan
    let origin: Origin
    let notes: [Crossing.Note]
}

extension Crossing {
    /// - Parameters:
    ///   - plan: Who acts at which moment.
    ///   - isSabotaged: Whether somebody else acts at the moment of capture, so that even what keeps is wrong.
    fileprivate convenience init(_ plan: Plan, isSabotaged: Bool = false) {
        self.init { moment in
            .identity(isSabotaged && moment == plan.captured ? plan.cast.bystander : plan.identity(at: moment))
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(seconds, 1_000_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
