import ArgumentParser
import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// Measures what a fair queue's identities wait and get.
struct Fairness: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures waits beside a long line, and shares at full load, in a fair queue.",
        discussion: """
            A quiet identity hands over a short piece every two milliseconds, and its wait is the time until the piece begins: \
            alone, beside another's line of 100,000 pieces, and beside the same line in a queue that is not fair. Nothing \
            interrupts a piece, so a wait may contain one of the other's. Shares are of the CPU time that each identity's pieces \
            and hops have used, by their threads' clock: from the beginning of a piece to that of the next on its thread.
            """
    )

    @Option(help: "The seconds of each measurement of shares.") var seconds = 60
    @Flag(help: "Measure shares only.") var sharesOnly = false

    func run() throws {
        var limits = Limits()
        if !sharesOnly { try waits(&limits) }
        for attributes in [IdentityQueue.Attributes(), .concurrent] {
            try Shares(attributes).measure(seconds, &limits)
        }
        try limits.end()
    }

    private func waits(_ limits: inout Limits) throws {
        let quiet = try Waits(draining: .fairly()).beside(nil)
        print("       quiet: \(quiet.description)")
        // The other's pieces are a tenth of the quiet wait, and then as long as a request.
        for (length, isShort) in [(max(quiet.p99 / 10, 2_000), true), (1_000_000, false)] {
            let fair = try Waits(draining: .fairly()).beside(length)
            print("       beside 100,000 pieces of \(length / 1_000) µs: \(fair.description)")
            print("       longest piece: \(fair.longest / 1_000) µs")
            let limit = isShort ? quiet.p99 * 3 / 2 : quiet.p99 + fair.longest
            limits.hold("p99 of the wait", Double(fair.p99) / 1_000, atMost: Double(limit) / 1_000, "µs")
            if isShort {
                let plain = try Waits(draining: .oneByOne).beside(length)
                let ratio = Double(plain.p99) / Double(quiet.p99)
                limits.hold("a queue that is not fair takes more than 100 times", ratio > 100, "\(ratio.figure) times")
            }
        }
    }
}

/// Uses this thread's processor for a time, in nanoseconds; returns what it used.
@discardableResult
private func spin(
    _ nanoseconds: UInt64,
    since begin: UInt64 = clock_gettime_nsec(CLOCK_THREAD_CPUTIME_ID)
) -> UInt64 {
    while true {
        let used = clock_gettime_nsec(CLOCK_THREAD_CPUTIME_ID) - begin
        if used >= nanoseconds { return used }
    }
}

private func clock_gettime_nsec(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

private func now() -> UInt64 { clock_gettime_nsec(CLOCK_MONOTONIC) }

/// The waits of a quiet identity's pieces.
private struct Waits {
    struct Found {
        let p50, p99, longest: UInt64
        var description: String { "p50 \(p50 / 1_000) µs, p99 \(p99 / 1_000) µs" }
    }

    let draining: IdentityQueue.Draining
    private let (ada, bob): (Identity, Identity)

    init(draining: IdentityQueue.Draining) throws {
        self.draining = draining
        (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
    }

    /// Measures for two seconds, or until the other's line is empty; then what is left of that line does nothing.
    func beside(_ length: UInt64?) -> Found {
        let queue = IdentityQueue(label: "shared", draining: draining)
        let waits = Mutex<[UInt64]>([])
        let longest = Atomic<UInt64>(0)
        let left = Atomic(0)
        let isOver = Atomic(false)
        let group = DispatchGroup()
        if let length {
            withIdentity(ada) {
                for _ in 0..<100_000 {
                    left.add(1, ordering: .relaxed)
                    queue.async(group: group) {
                        left.subtract(1, ordering: .relaxed)
                        if isOver.load(ordering: .relaxed) { return }
                        let begin = now()
                        spin(length)
                        longest.max(now() - begin, ordering: .relaxed)
                    }
                }
            }
        }
        let end = now() + 2_000_000_000
        while now() < end, length == nil || left.load(ordering: .relaxed) > 100 {
            withIdentity(bob) {
                let begin = now()
                queue.async(group: group) {
                    let wait = now() - begin
                    waits.withLock { $0.append(wait) }
                }
            }
            usleep(2_000)
        }
        // A line that is not fair is worked off, since the quiet pieces are at its end.
        if draining != .oneByOne { isOver.store(true, ordering: .relaxed) }
        group.wait()
        let sorted = waits.withLock { $0.sorted() }
        return Found(
            p50: sorted[sorted.count / 2],
            p99: sorted[sorted.count * 99 / 100],
            longest: longest.load(ordering: .relaxed)
        )
    }
}

/// The shares of four identities that always have work, with pieces of very different lengths.
private struct Shares: @unchecked Sendable {
    // `@unchecked Sendable`: constant; attributes are not marked `Sendable` on Linux.

    private struct Tenant {
        let identity: Identity
        let weight: Double
        let lengths: ClosedRange<UInt64>
    }

    private let attributes: IdentityQueue.Attributes
    private let tenants: [Tenant]

    init(_ attributes: IdentityQueue.Attributes) throws {
        self.attributes = attributes
        let kinds: [(Double, ClosedRange<UInt64>)] = [
            (1, 10_000...10_000), (2, 50_000_000...50_000_000), (4, 10_000...5_000_000), (1, 1_000_000...50_000_000),
        ]
        tenants = try kinds.enumerated().map { number, kind in
            Tenant(identity: try Identity("user-\(number)@contoso.com"), weight: kind.0, lengths: kind.1)
        }
    }

    func measure(_ seconds: Int, _ limits: inout Limits) {
        let tenants = tenants
        let weights = Dictionary(uniqueKeysWithValues: tenants.map { ($0.identity, $0.weight) })
        let queue = IdentityQueue(
            label: "shared",
            attributes: attributes,
            draining: .fairly { $0.flatMap { weights[$0] } ?? 1 }
        )
        let account = Mutex(Account(count: tenants.count))
        let isOver = Atomic(false)
        let group = DispatchGroup()
        // More than there are places, so that no line is ever empty.
        let waiting = 4 + ProcessInfo.processInfo.activeProcessorCount
        @Sendable func hand(_ number: Int) {
            let length = UInt64.random(in: tenants[number].lengths)
            queue.async(group: group) {
                if isOver.load(ordering: .relaxed) { return }
                let begin = clock_gettime_nsec(CLOCK_THREAD_CPUTIME_ID)
                hand(number)
                let time = spin(length, since: begin)
                account.withLock { $0.note(number, from: begin, time) }
            }
        }
        for (number, tenant) in tenants.enumerated() {
            withIdentity(tenant.identity) { for _ in 0..<waiting { hand(number) } }
        }
        sleep(UInt32(seconds))
        isOver.store(true, ordering: .relaxed)
        group.wait()
        let found = account.withLock { $0 }
        let weight = tenants.map(\.weight).reduce(0, +)
        func difference(_ times: [UInt64], _ number: Int) -> Double {
            100 * (Double(times[number]) / Double(times.reduce(0, +)) * weight / tenants[number].weight - 1)
        }
        for (number, tenant) in tenants.enumerated() {
            let kind = attributes == .concurrent ? "concurrent" : "serial"
            let name = "\(kind), weight \(tenant.weight.figure), \(tenant.lengths.description) ns"
            limits.hold("\(name): differs by", abs(difference(found.withHops, number)), atMost: 5, "%")
            print("       without hops by \(difference(found.inPieces, number).figure) %")
        }
    }

    /// What each has used.
    private struct Account: Sendable {
        var inPieces: [UInt64]
        var withHops: [UInt64]
        /// The last piece of each thread.
        private var last: [UInt: (number: Int, begin: UInt64)] = [:]

        init(count: Int) {
            (inPieces, withHops) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        }

        mutating func note(_ number: Int, from begin: UInt64, _ time: UInt64) {
            inPieces[number] += time
            let thread = UInt(pthread_self())
            if let last = last[thread], last.begin < begin { withHops[last.number] += begin - last.begin }
            last[thread] = (number, begin)
        }
    }
}
