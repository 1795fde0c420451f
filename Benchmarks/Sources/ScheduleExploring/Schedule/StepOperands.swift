/// The words of a step after its worker, read from left to right.
struct StepOperands {
    let verb: Substring
    var words: ArraySlice<Substring>

    mutating func identity() throws(ScheduleError) -> HeldIdentity {
        let word = try next("an identity")
        guard let identity = HeldIdentity(parsing: word) else {
            throw .malformed("has \"\(word)\"", "an identity: unset, nobody, or # and its number")
        }
        return identity
    }

    mutating func queue() throws(ScheduleError) -> Int {
        let word = try next("a queue")
        guard case .queue(let number) = ScheduledWorker(parsing: word) else {
            throw .malformed("has \"\(word)\"", "a queue: q1 to q\(Schedule.queues)")
        }
        return number
    }

    mutating func work() throws(ScheduleError) -> Int {
        let word = try next("work")
        guard case .work(let number) = ScheduledWorker(parsing: word) else {
            throw .malformed("has \"\(word)\"", "work: w and a number from 1 to \(Schedule.mostWorks)")
        }
        return number
    }

    mutating func boundary() throws(ScheduleError) -> String { String(try next("a boundary")) }

    /// Nothing may follow.
    func end() throws(ScheduleError) {
        if let word = words.first { throw .malformed("goes on with \"\(word)\"", "the end of the step") }
    }

    private mutating func next(_ what: String) throws(ScheduleError) -> Substring {
        guard let word = words.popFirst() else { throw .malformed("ends after \"\(verb)\"", what) }
        return word
    }
}
