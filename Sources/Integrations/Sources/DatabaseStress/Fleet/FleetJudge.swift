/// Judges a course: each request of an account neither early, nor missed, nor twice at once, and each event once to everybody.
///
/// It shares nothing with the registry: intervals, leases and jitter are here once more, as the rules have them.
struct FleetJudge {
    struct Findings {
        var requests: [String: Int] = [:]
        var interrupted = 0
        /// The time by which the latest request was later than it may be, in milliseconds.
        var latest: Int64 = 0
        var events = 0
        var received = 0
        var faults: [String] = []
    }

    private struct Request {
        let kind: String
        let life: Int
        let begin: Int64
        var end: Int64?
        var isGood = false
    }

    private static let hour: Int64 = 3_600_000
    private static let jitter = 0.05
    private static let lease = 24 * hour + 60_000
    /// A second and a half of the machine's where a day takes one: it has other things to do.
    private static let patience = 36 * hour
    /// The time that a process may be held up between taking a lease and asking.
    private static let holdUp = 6 * hour

    private let course: Course

    init(_ course: Course) { self.course = course }

    func findings() -> Findings {
        var findings = Findings()
        let events = self.events(&findings)
        var requests: [String: [Request]] = [:]
        var places: [String: (String, Int)] = [:]
        var registered: Set<String> = []
        for line in course.lines {
            switch line.entry {
            case .registered(let account): registered.insert(account)
            case .begins(let kind, let account, let request):
                places[request] = (account, requests[account, default: []].count)
                requests[account, default: []].append(Request(kind: kind, life: line.life, begin: line.moment))
                findings.requests[kind, default: 0] += 1
            case .ends(let request, let good):
                guard let (account, place) = places[request] else { continue }
                requests[account]?[place].end = line.moment
                requests[account]?[place].isGood = good
            case .event, .up: continue
            }
        }
        for (account, moment) in course.registered {
            let isRegistered = registered.contains(account)
            judge(account, moment, isRegistered, requests[account] ?? [], events[account] ?? [], &findings)
        }
        return findings
    }

    // MARK: Requests

    private typealias Event = (status: String, moment: Int64)

    private static let ends: Set = [
        "enrolled", "policyUnchanged", "unreachable", "timedOut", "wiped", "wipeIncomplete",
    ]

    private func judge(
        _ account: String,
        _ registration: Int64,
        _ isRegistered: Bool,
        _ requests: [Request],
        _ events: [Event],
        _ findings: inout Findings
    ) {
        for event in events where Self.ends.contains(event.status) {
            let isAnswered = requests.contains { request in
                request.end.map { $0...($0 + Self.holdUp * 2) ~= event.moment } ?? false
            }
            // A request that took too long has an end that nobody waited for.
            if !isAnswered, event.status != "timedOut" {
                findings.faults.append("\(event.status) of \(account) at \(event.moment), which nobody asked for")
            }
        }
        let left = events.first { $0.status == "removed" }?.moment
        let asked = requests.filter { $0.kind != "wipe" }
        // Where the process that was told to was killed before it heard of it, nobody has registered it; it can leave all the same.
        if isRegistered || !asked.isEmpty {
            judge(account, asked, from: registration, until: left, events, &findings)
        }
        guard let left else { return }
        let wiped = events.first { $0.status == "wiped" }?.moment
        judge(account, requests.filter { $0.kind == "wipe" }, from: left, until: wiped, events, &findings)
    }

    /// Judges requests that follow each other from a moment on, until another one, if that came.
    private func judge(
        _ account: String,
        _ requests: [Request],
        from first: Int64,
        until last: Int64?,
        _ events: [Event],
        _ findings: inout Findings
    ) {
        var window = (from: first, to: first + Self.patience)
        for request in requests {
            let name = "\(request.kind) of \(account) by \(request.life) at \(request.begin)"
            if request.begin < window.from {
                findings.faults.append("\(name), early or twice by \(window.from - request.begin) ms")
            }
            if request.begin > window.to { findings.faults.append("\(name), late: due by \(window.to)") }
            findings.latest = max(findings.latest, request.begin - (window.to - Self.patience))
            if let last, request.begin > last + Self.holdUp {
                findings.faults.append("\(name), when it was over at \(last)")
            }
            window = next(after: request, events, &findings)
        }
        if window.to < min(last ?? course.end, course.end) {
            findings.faults.append("a request of \(account) missed, due by \(window.to)")
        }
    }

    /// The time in which the request after one has to begin.
    private func next(
        after request: Request,
        _ events: [Event],
        _ findings: inout Findings
    ) -> (from: Int64, to: Int64) {
        // Written down or not: an event that ends a request, soon after the answer.
        guard let end = request.end,
            let written = events.first(where: { event in
                Self.ends.contains(event.status) && end...(end + Self.holdUp * 2) ~= event.moment
            })
        else {
            findings.interrupted += 1
            let over = request.end ?? course.lives[request.life].end ?? course.end
            let lease = request.begin + Self.lease
            return (max(over, lease - Self.holdUp), lease + Self.patience)
        }
        let isEnrolled = request.kind == "check" || written.status == "enrolled"
        let interval = (isEnrolled ? 8 : 24) * Self.hour
        let latest = Int64(Double(interval) * (1 + Self.jitter))
        // The next one is worked out after the answer, and before the event is written.
        return (end + interval, written.moment + latest + Self.patience)
    }

    // MARK: Events

    /// The events by account, each as the first process that heard of it wrote it; notes what was not heard by all.
    private func events(_ findings: inout Findings) -> [String: [Event]] {
        var known: [Int64: (account: String, status: String, moment: Int64)] = [:]
        var heard: [Int: [(number: Int64, moment: Int64)]] = [:]
        var up: [Int: Int64] = [:]
        for line in course.lines {
            if case .up = line.entry { up[line.life] = line.moment }
            guard case .event(let number, let account, let status, let moment) = line.entry else { continue }
            known[number] = (account, status, moment)
            heard[line.life, default: []].append((number, line.moment))
            findings.received += 1
        }
        findings.events = known.count
        for life in course.lives {
            let numbers = heard[life.number] ?? []
            for (one, other) in zip(numbers, numbers.dropFirst()) where other.number != one.number + 1 {
                findings.faults.append("process \(life.number) heard event \(other.number) after \(one.number)")
            }
            let end = (life.end ?? course.end) - Self.patience
            guard let up = up[life.number] else { continue }
            let all = Set(numbers.map(\.number))
            for (number, event) in known where event.moment > up && event.moment < end && !all.contains(number) {
                findings.faults.append("process \(life.number) did not hear event \(number)")
            }
        }
        return Dictionary(grouping: known.sorted { $0.key < $1.key }.map(\.value)) { $0.account }
            .mapValues { $0.map { ($0.status, $0.moment) } }
    }
}
