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
        life.window = nil
        life.isUnsure = false
        life.request = Request(kind: window.kind, begin: window.owed?.since ?? now, process: state.process)
    }

    func isOver(_ window: Window, _ state: State, _ now: WallInstant) -> Bool {
        guard let upSince = state.upSince else { return false }
        return max(window.to, upSince).advanced(by: rules.tardiness) < now
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
                life.window = nil
                return
            }
            return fault("\(event) without a request", &state, event.moment)
        }
        if request.end != event.moment {
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
        case .enroll where isGood:
            life.isEnrolled = true
            life.wantsRestart = !life.hadFirst
            life.hadFirst = true
            life.window = window(.check, rules.check, event.moment)
            if rules.mode == .oneManaged { othersWait(identity, &state) }
        case .enroll: life.window = window(.enroll, rules.retry, event.moment)
        case .check: life.window = window(.check, rules.check, event.moment)
        case .wipe where isGood: life = Life(unenrolling: life.unenrolling, teller: life.teller, history: life.history)
        case .wipe: life.window = window(.wipe, rules.retry, event.moment)
        }
    }

    func check(_ event: AccountEvent, _ request: Request, _ isGood: Bool, _ state: inout State) {
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
        let wasAccepted = Self.isAccepted(life.request)
        life = Life(history: life.history)
        if wasEnrolled || wasAccepted, event.status == .deregistered {
            (life.unenrolling, life.teller) = (1, state.process)
        }
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
            state.lives[other]?.window = window(.enroll, rules.retry, moment)
            state.lives[other]?.request = nil
        }
    }

    func othersWait(_ identity: Identity, _ state: inout State) {
        for (other, life) in state.lives where other != identity && life.isRegistered {
            if let request = life.request, Self.isAccepted(request) {
                state.lives[other]?.unenrolling = 1
                state.lives[other]?.teller = request.process
            }
            state.lives[other]?.window = nil
            state.lives[other]?.request = nil
        }
    }

    /// Returns whether the service enrolls by a request that counts no more: it has to hear that this one is not wanted.
    static func isAccepted(_ request: Request?) -> Bool {
        guard let request, request.kind == .enroll, request.asked else { return false }
        return request.outcome == .good && !request.timesOut
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
