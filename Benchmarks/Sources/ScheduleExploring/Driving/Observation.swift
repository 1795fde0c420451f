import MultiIdentity

/// The identities and levels found at a worker, or expected there.
struct Observation: Hashable, Sendable {
    /// The process and UI levels in force.
    enum Levels: Hashable, Sendable {
        case shared
        /// Of the schedule's own, from 1 in the order in which they were made.
        case own(Int)
        /// Made by nobody here.
        case strange
    }

    /// The identity that work counts as, by purpose and place.
    struct Answers: Hashable, Sendable {
        var uiOnMain: LevelRule.Answer
        var uiElsewhere: LevelRule.Answer
        var files: LevelRule.Answer

        /// True if each is what the thread level holds, since it holds something.
        func isByThread(_ thread: HeldIdentity) -> Bool {
            [uiOnMain, uiElsewhere, files].allSatisfy { $0 == LevelRule.Answer(identity: thread, level: .thread) }
        }
    }

    var thread: HeldIdentity
    var levels: Levels
    /// `nil` where the shared levels would be asked.
    var answers: Answers?
}

extension Observation: CustomStringConvertible {
    /// As it stands in a trace.
    var description: String {
        let levels =
            switch levels {
            case .shared: ""
            case .own(let number): " levels \(number)"
            case .strange: " strange levels"
            }
        // Where the thread level decides, it has said everything.
        let shown = answers.flatMap { $0.isByThread(thread) ? nil : $0 }
        let answers = shown.map { " (UI on main \($0.uiOnMain), elsewhere \($0.uiElsewhere), files \($0.files))" } ?? ""
        return "\(thread)\(levels)\(answers)"
    }

    /// The first thing in which the two differ, as a person reads it.
    func difference(from expected: Observation, _ identities: [Identity]) -> (
        what: String, expected: String, found: String
    )? {
        func prose(_ answer: LevelRule.Answer?) -> String {
            guard let answer else { return "not asked" }
            let level = answer.level.map { ", decided by the \($0) level" } ?? ", with no level set"
            return answer.identity.prose(identities) + level
        }
        if thread != expected.thread {
            return ("Identity.current", expected.thread.prose(identities), thread.prose(identities))
        }
        if levels != expected.levels { return ("the levels in force", "\(expected.levels)", "\(levels)") }
        let places: [(String, KeyPath<Answers, LevelRule.Answer>)] = [
            ("the effective identity for UI work on main", \.uiOnMain),
            ("the effective identity for UI work elsewhere", \.uiElsewhere),
            ("the effective identity for file work", \.files),
        ]
        for (what, place) in places where answers?[keyPath: place] != expected.answers?[keyPath: place] {
            return (what, prose(expected.answers?[keyPath: place]), prose(answers?[keyPath: place]))
        }
        return nil
    }
}

extension Observation.Levels: CustomStringConvertible {
    var description: String {
        switch self {
        case .shared: "the shared ones"
        case .own(let number): "the schedule's number \(number)"
        case .strange: "some that no step made"
        }
    }
}

extension LevelRule.Answer: CustomStringConvertible {
    var description: String { level.map { "\(identity)/\($0)" } ?? "\(identity)" }
}
