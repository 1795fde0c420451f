import Dispatch
import MultiIdentity

/// Crosses boundaries, and reports what became of the identity.
struct Examiner: Sendable {
    private let options: IdentityDoctor.Options
    private let cast = Cast()

    init(_ options: IdentityDoctor.Options) { self.options = options }

    func finding(of boundary: CataloguedBoundary) -> Diagnosis.Finding {
        let plain = verdicts(on: boundary, carries: false)
        let carried =
            if options.sabotaged.contains(boundary.name), boundary.cross != nil {
                verdicts(on: boundary, carries: false, isSabotaged: true)
            } else {
                boundary.isCarriedByPackage ? verdicts(on: boundary, carries: true) : plain
            }
        return Diagnosis.Finding(
            boundary: boundary.name,
            family: boundary.family.rawValue,
            plain: plain.identity,
            carried: carried.identity,
            companions: options.examinesCompanions ? carried.companions : nil,
            spelling: boundary.spelling,
            captured: carried.identity.outcome == .kept ? boundary.captured?.rawValue : nil
        )
    }

    // MARK: Verdicts

    /// The fate of the identity, and that of the doctor's companion.
    private typealias Verdicts = (identity: Diagnosis.Verdict, companions: Diagnosis.Verdict)

    private func verdicts(on boundary: CataloguedBoundary, carries: Bool, isSabotaged: Bool = false) -> Verdicts {
        func both(_ outcome: Diagnosis.Verdict.Outcome, _ detail: String?) -> Verdicts {
            let verdict = Diagnosis.Verdict(outcome, detail)
            return (verdict, verdict)
        }
        guard let captured = boundary.captured, let cross = boundary.cross else {
            return both(.missing, boundary.reasonForLack)
        }
        let deadline = DispatchTime.now() + .nanoseconds(options.limit.wholeNanoseconds)
        var trials: [Trial] = []
        for (casting, origin) in crossings(of: boundary) {
            let plan = Plan(casting: casting, captured: captured, cast: cast)
            let crossing = Crossing(
                plan,
                carries: carries,
                isSabotaged: isSabotaged,
                bindsCompanion: options.examinesCompanions
            )
            let outcome = crossing.go(cross, from: origin, around: plan.around, until: deadline)
            switch outcome {
            case .notes(let notes): trials.append(Trial(plan: plan, origin: origin, notes: notes))
            case .refused(let reason): return both(.skipped, reason)
            case .timedOut: return both(.timedOut, "not within \(options.limit)")
            }
        }
        return (Diagnosis.Verdict(on: trials), Diagnosis.Verdict(on: trials.map(\.ofCompanions)))
    }

    private func crossings(of boundary: CataloguedBoundary) -> [(Plan.Casting, Origin)] {
        if boundary.traits.contains(.dear) {
            return zip(Plan.Casting.allCases, Origin.allCases + Origin.allCases).map { ($0, $1) }
        }
        let once = Plan.Casting.allCases.flatMap { casting in Origin.allCases.map { (casting, $0) } }
        return Array(repeating: once, count: max(1, options.repetitions)).flatMap(\.self)
    }
}

/// One crossing, and what its work found.
struct Trial: Sendable {
    let plan: Plan
    let origin: Origin
    let notes: [Crossing.Note]

    /// The same crossing, as the doctor's companion saw it.
    var ofCompanions: Trial {
        Trial(
            plan: plan,
            origin: origin,
            notes: notes.map { Crossing.Note(identity: $0.companion, isOnCallersThread: $0.isOnCallersThread) }
        )
    }
}

extension Crossing {
    /// - Parameters:
    ///   - plan: The identity at each moment.
    ///   - carries: Whether to use this package.
    ///   - isSabotaged: Whether another identity acts at the moment of capture, so that even what is kept is wrong.
    ///   - bindsCompanion: Whether the doctor's companion is bound along with each identity.
    fileprivate convenience init(
        _ plan: Plan,
        carries: Bool,
        isSabotaged: Bool = false,
        bindsCompanion: Bool = false
    ) {
        self.init(carries: carries, bindsCompanion: bindsCompanion) { moment in
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
