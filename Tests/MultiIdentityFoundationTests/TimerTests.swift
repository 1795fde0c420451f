import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A timer, plain or carrying identity", .rule("4.7")) struct TimerTests {
    /// The plain and the carrying way to make a timer, which must behave alike.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func make(_ interval: TimeInterval, repeats: Bool, _ block: @escaping @Sendable (Timer) -> Void) -> Timer {
            switch self {
            case .plain: Timer(timeInterval: interval, repeats: repeats, block: block).reachable
            case .carrying:
                Timer.propagatingIdentity(timeInterval: interval, repeats: repeats, block: block).reachable
            }
        }

        func make(
            fire date: Date,
            _ interval: TimeInterval,
            repeats: Bool,
            _ block: @escaping @Sendable (Timer) -> Void
        ) -> Timer {
            switch self {
            case .plain: Timer(fire: date, interval: interval, repeats: repeats, block: block).reachable
            case .carrying:
                Timer.propagatingIdentity(fire: date, interval: interval, repeats: repeats, block: block).reachable
            }
        }

        @available(*, noasync)
        func schedule(_ interval: TimeInterval, repeats: Bool, _ block: @escaping @Sendable (Timer) -> Void) -> Timer {
            switch self {
            case .plain: Timer.scheduledTimer(withTimeInterval: interval, repeats: repeats, block: block).reachable
            case .carrying:
                Timer.propagatingIdentity
                    .scheduledTimer(withTimeInterval: interval, repeats: repeats, block: block).reachable
            }
        }
    }

    /// Runs this thread's run loop until `condition` holds.
    static func runCurrentLoop(until condition: () -> Bool) {
        while !condition() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    }

    @Test("has the given interval and date", arguments: Kind.allCases)
    func properties(_ kind: Kind) async {
        let found = await onNewThread { () -> [Double] in
            let date = Date(timeIntervalSinceReferenceDate: 900_000_000)
            let one = kind.make(fire: date, 7, repeats: false) { _ in }
            let many = kind.make(fire: date, 7, repeats: true) { _ in }
            many.fireDate += 5
            return [
                one.timeInterval, one.fireDate.timeIntervalSinceReferenceDate, many.timeInterval,
                many.fireDate.timeIntervalSinceReferenceDate,
            ]
        }
        #expect(found == [0, 900_000_000, 7, 900_000_005])
    }

    @Test("fires once and is then invalid, unless it repeats", arguments: Kind.allCases, [false, true])
    func once(_ kind: Kind, _ isScheduled: Bool) async {
        let runs = Notes<Bool>()
        let isValid = await onNewThread { () -> [Bool] in
            let block: @Sendable (Timer) -> Void = { runs.add($0.isValid) }
            let timer = isScheduled ? kind.schedule(0, repeats: false, block) : kind.make(0, repeats: false, block)
            let before = timer.isValid
            if !isScheduled { RunLoop.current.add(timer, forMode: .default) }
            Self.runCurrentLoop { !timer.isValid }
            timer.fire()
            return [before, timer.isValid]
        }
        #expect(runs.all == [true])
        #expect(isValid == [true, false])
    }

    @Test("fires until its block, which gets it, invalidates it", arguments: Kind.allCases, [false, true])
    func untilInvalidated(_ kind: Kind, _ isScheduled: Bool) async {
        let runs = Notes<ObjectIdentifier>()
        let timer = await onNewThread { () -> ObjectIdentifier in
            let block: @Sendable (Timer) -> Void = { timer in
                runs.add(ObjectIdentifier(timer))
                if runs.all.count == 3 { timer.invalidate() }
            }
            let timer =
                isScheduled ? kind.schedule(0.001, repeats: true, block) : kind.make(0.001, repeats: true, block)
            if !isScheduled { RunLoop.current.add(timer, forMode: .default) }
            Self.runCurrentLoop { !timer.isValid }
            timer.fire()
            return ObjectIdentifier(timer)
        }
        #expect(runs.all == [timer, timer, timer])
    }

    @Test("fires by hand: once, or repeatedly if it repeats", arguments: Kind.allCases)
    func byHand(_ kind: Kind) async {
        let runs = Notes<String>()
        let isValid = await onNewThread { () -> [Bool] in
            let one = kind.make(60, repeats: false) { _ in runs.add("one") }
            let many = kind.make(60, repeats: true) { _ in runs.add("many") }
            for timer in [one, many, one, many] { timer.fire() }
            defer { many.invalidate() }
            return [one.isValid, many.isValid]
        }
        #expect(runs.all == ["one", "many", "many"])
        #expect(isValid == [false, true])
    }

    @Test("never fires once it was invalidated", arguments: Kind.allCases) func invalidated(_ kind: Kind) async {
        let runs = Notes<String>()
        await onNewThread {
            let timer = kind.make(0, repeats: true) { _ in runs.add("invalid") }
            RunLoop.current.add(timer, forMode: .default)
            timer.invalidate()
            timer.invalidate()
            let last = kind.make(0, repeats: false) { _ in runs.add("last") }
            RunLoop.current.add(last, forMode: .default)
            Self.runCurrentLoop { !last.isValid }
        }
        #expect(runs.all == ["last"])
    }

    @Test(
        "beside a plain one does not affect the run loop's other work",
        arguments: [nil, try Identity("ada@contoso.com")]
    )
    func neighbour(_ creator: Identity?) async {
        let runs = Notes<Identity?>()
        await onNewThread {
            let timers = withIdentity(creator) {
                [Kind.carrying, .plain, .carrying, .plain].enumerated().map { index, kind in
                    kind.make(fire: Date(timeIntervalSinceReferenceDate: Double(index)), 0, repeats: false) { _ in
                        runs.add(.current)
                    }
                }
            }
            withIdentity(grace) {
                for timer in timers { RunLoop.current.add(timer, forMode: .default) }
                Self.runCurrentLoop { timers.allSatisfy { !$0.isValid } }
            }
        }
        #expect(runs.all == [creator, grace, creator, grace])
    }
}
