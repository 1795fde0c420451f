import MultiIdentity
import MultiIdentityManagement

// What the rules say of what was seen.
extension TimerJudge {
    func begins(
        _ kind: Kind?,
        _ identity: Identity,
        _ life: inout Life,
        _ state: inout State,
        at now: WallInstant
    ) {
        if life.request != nil { return fault("a second request of \(identity) at once", &state, now) }
        guard let window = life.window else { return fault("a request of \(identity), which owes none", &state, now) }
        if let kind, kind != window.kind { fault("\(kind) of \(identity) where \(window.kind) was due", &state, now) }
        if now < window.from {
            fault("\(window.kind) of \(identity) early by \(now.duration(to: window.from))", &state, now)
        }
        if isOver(window, state, now) {
            fault("\(window.kind) of \(identity) late, due at \(window.to.milliseconds)", &state, now)
        }
        let due = max(window.to, state.upSince ?? now)
        state.findings.latest = max(state.findings.latest, due.duration(to: now))
        state.findings.requests[window.kind, default: 0] += 1
        (life.window, life.deadLease, life.mayHaveLease) = (nil, nil, false)
        life.isUnsure = false
        life.request = Request(kind: window.kind, begin: window.owed?.since ?? now, process: state.process)
    }

    func isOver(_ window: Window, _ state: State, _ now: WallInstant) -> Bool {
        guard let upSince = state.upSince else { return false }
        return max(window.to, upSince).advanced(by: rules.tardiness + window.slack) < now
    }

    /// Works out when and how the call that begins now ends the request; a credential only where it is not there.
    func plans(_ plan: SimulatedService.Plan, _ life: inout Life, at now: WallInstant, unlessGood: Bool) {
        guard var request = life.request else { return }
        request.outcome = plan.outcome
        request.timesOut = false
        switch plan.timing {
        case .after(let time):
            request.end = now.advanced(by: request.kind == .wipe && plan.outcome != .good ? time : time)
        case .neverUnlessCancelled, .late:
            if request.kind == .wipe {
                request.end = now
            } else {
                request.end = now.advanced(by: rules.limit)
                request.timesOut = true
            }
        }
        if unlessGood, plan.outcome == .good, !request.timesOut { request.end = nil }
        life.request = request
    }

    func ended(_ event: AccountEvent, _ life: inout Life, _ state: inout State) {
        let identity = event.identity
        guard let request = life.request else {
            // Announced by who registered while another is enrolled, or by the end of telling the service.
            if rules.mode == .oneManaged, event.status == .anotherIsEnrolled {
                (life.window, life.deadLease) = (nil, nil)
                return
            }
            return fault("\(event) without a request", &state, event.moment)
        }
        if request.end != event.moment, !request.loses || request.asked {
            fault(
                "\(event), not when its request ended (\(String(describing: request.end?.milliseconds)))",
                &state,
                event.moment
            )
        }
        let isGood = !request.timesOut && [.good, .replaced].contains(request.outcome)
        check(event, request, isGood, &state)
        life.request = nil
        switch request.kind {
        case .enroll where isGood && !request.loses:
            (life.isEnrolled, life.owesNotice, life.wantsRestart) = (true, false, !life.hadFirst)
            life.hadFirst = true
            life.window = window(.check, rules.check, event.moment)
            if rules.mode == .oneManaged { othersWait(identity, &state) }
        case .enroll:
            // It may have accepted what is not wanted, or do so yet.
            if request.asked { life.owesNotice = true }
            life.window = request.loses ? nil : window(.enroll, rules.retry, event.moment)
        case .check: life.window = window(.check, rules.check, event.moment)
        case .wipe where isGood: life = life.afterwards
        case .wipe: life.window = window(.wipe, rules.retry, event.moment)
        }
    }

    func check(_ event: AccountEvent, _ request: Request, _ isGood: Bool, _ state: inout State) {
        // Where it was not asked yet, it is not asked any more.
        if request.loses, isGood || !request.asked, event.status == .anotherIsEnrolled { return }
        let expected: AccountEventStatus =
            switch (request.kind, request.outcome) {
            case (.wipe, _): isGood ? .wiped : .wipeIncomplete
            case _ where request.timesOut: .timedOut
            case (_, .failure(let status)): status == .enrolled ? .failed : status
            case (_, .malformed): .malformedAnswer
            case (_, .unknownError), (_, .cancellation): .failed
            case (.enroll, _): .enrolled
            case (.check, .replaced): .policyReplaced
            default: .policyUnchanged
            }
        if event.status != expected { fault("\(event) where \(expected) was the end", &state, event.moment) }
    }

    func leaves(_ event: AccountEvent, _ wipes: Bool, _ life: inout Life, _ state: inout State) {
        let (wasEnrolled, moment) = (life.isEnrolled, event.moment)
        let isAsking = life.request?.kind == .enroll
        life = life.afterwards
        if isAsking || wasEnrolled && event.status == .deregistered { life.owesNotice = true }
        // The credential is asked for first: the wipe can take it away.
        let wait = wasEnrolled && event.status == .deregistered ? rules.limit : .zero
        if wipes {
            life.window = Window(
                kind: .wipe,
                from: moment,
                to: moment.advanced(by: wait),
                owed: (state.process, moment)
            )
        }
        guard rules.mode == .oneManaged, wasEnrolled else { return }
        for (other, otherLife) in state.lives where other != event.identity && otherLife.isRegistered {
            state.lives[other]?.request?.loses = false
            if otherLife.request != nil { continue }
            if otherLife.mayHaveLease, otherLife.deadLease == nil {
                let next = window(.enroll, rules.retry, moment)
                state.lives[other]?.window = Window(kind: .enroll, from: moment, to: next.to)
                continue
            }
            state.lives[other]?.window =
                otherLife.deadLease.map { Window(kind: .enroll, from: $0, to: max($0, moment)) }
                ?? window(.enroll, rules.retry, moment)
        }
    }

    func othersWait(_ identity: Identity, _ state: inout State) {
        for (other, life) in state.lives where other != identity && life.isRegistered {
            state.lives[other]?.window = nil
            state.lives[other]?.request?.loses = true
        }
    }

    /// Takes note that the service enrolls an account, or will do so after the limit.
    func accepts(_ plan: SimulatedService.Plan, _ life: inout Life, at now: WallInstant) {
        guard [.good, .malformed].contains(plan.outcome) else { return }
        switch plan.timing {
        case .after: life.isAccepted = true
        case .late(let time): life.answersUntil = now.advanced(by: time + rules.retry)
        case .neverUnlessCancelled: break
        }
    }

    func window(_ kind: Kind, _ interval: Duration, _ end: WallInstant) -> Window {
        Window(kind: kind, from: end.advanced(by: interval), to: end.advanced(by: interval + interval * rules.spread))
    }

    func fault(_ text: String, _ state: inout State, _ now: WallInstant) {
        state.findings.faults.append("\(now.milliseconds): \(text)")
    }

    func remember(_ identity: Identity, _ what: Happening, _ now: WallInstant) {
        change(identity) { life, state in
            if life.history.count == 24 { life.history.removeFirst(12) }
            life.history.append(Remembered(moment: now.milliseconds, process: state.process, what: what))
        }
    }

    func change(_ identity: Identity, _ body: (inout Life, inout State) -> Void) {
        state.withLock { state in
            var life = state.lives[identity] ?? Life()
            let before = state.findings.faults.count
            body(&life, &state)
            state.lives[identity] = life
            if state.findings.faults.count > before {
                state.findings.faults.append("  after \(life.history.suffix(12))")
            }
        }
    }
}

extension TimerJudge.Life {
    /// What is left of it when it has left, or is wiped.
    fileprivate var afterwards: Self {
        Self(owesNotice: owesNotice, answersUntil: answersUntil, isAccepted: isAccepted, history: history)
    }
}
