import CMultiIdentity
import Foundation
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentity

/// A window with a made clock: a tick of the counter is a nanosecond.
private final class Window {
    private let window = UnsafeMutablePointer<mi_window>.allocate(capacity: 1)

    static let brief: UInt64 = 1_000

    init(cpu: UInt64 = 0) {
        memset(window, 0, MemoryLayout<mi_window>.size)
        mi_window_open(window, 0, cpu, Self.brief)
    }

    deinit { window.deallocate() }

    func reopen(at now: UInt64, cpu: UInt64) { mi_window_open(window, now, cpu, Self.brief) }

    /// Runs this account from `now` on; `nil`: nothing runs.
    func run(_ account: UInt64?, at now: UInt64, waited: UInt64 = 0) {
        mi_window_switch(window, account ?? 0, account != nil, waited, now)
    }

    /// What is charged if the thread has used `cpu` by now; what lies between pieces is under 0.
    func charged(at now: UInt64, cpu: UInt64) -> [UInt64: mi_account_time] {
        var charged: [UInt64: mi_account_time] = [:]
        withUnsafeMutablePointer(to: &charged) { charged in
            mi_window_share(
                window,
                now,
                cpu,
                1,
                { context, key, time in
                    context?.assumingMemoryBound(to: [UInt64: mi_account_time].self).pointee[key] = time
                },
                charged
            )
        }
        return charged
    }
}

@Suite("The processor time of a thread's window") struct AccountWindowTests {
    private let a: UInt64 = 1 << 16
    private let b: UInt64 = 2 << 16

    @Test("is the ticks of work, and the rest lies between pieces") func rest() {
        let window = Window(cpu: 50)
        window.run(a, at: 100)
        window.run(nil, at: 400)
        window.run(b, at: 500, waited: 70)
        window.run(b, at: 600, waited: 8)
        let charged = window.charged(at: 900, cpu: 1_050)
        #expect(charged.mapValues(\.cpu) == [a: 300, b: 400, 0: 300])
        #expect(charged[a]?.wall == 300)
        #expect(charged[b]?.pieces == 2)
        #expect(charged.mapValues(\.waited) == [a: 0, b: 78, 0: 0])
    }

    @Test("leaves an outer piece's time to it when an inner one ends") func nested() {
        let window = Window()
        window.run(a, at: 0)
        window.run(b, at: 100)
        window.run(a, at: 150)
        window.run(nil, at: 200)
        #expect(window.charged(at: 200, cpu: 200).mapValues(\.cpu) == [a: 150, b: 50, 0: 0])
    }

    @Test("is not charged to the latest piece while that waited") func waits() {
        let window = Window()
        window.run(a, at: 0)
        window.run(b, at: 100)
        let charged = window.charged(at: 10_100, cpu: 600)
        #expect(charged.mapValues(\.cpu) == [a: 100, b: 500, 0: 0])
        #expect(charged[b]?.wall == 10_000)
    }

    @Test("is a brief pause's first, before that of a piece that waited, and not a long one's") func pauses() {
        for (pause, ofLatest) in [(UInt64(100), UInt64(400)), (Window.brief + 1, 500)] {
            let window = Window()
            window.run(a, at: 0)
            window.run(nil, at: 100)
            window.run(b, at: 100 + pause)
            #expect(window.charged(at: 50_000, cpu: 600).mapValues(\.cpu) == [a: 100, b: ofLatest, 0: 500 - ofLatest])
        }
    }

    @Test("is shared in proportion if earlier pieces must have waited too") func proportion() {
        let window = Window()
        window.run(a, at: 0)
        window.run(b, at: 300)
        window.run(nil, at: 400)
        #expect(window.charged(at: 500, cpu: 200).mapValues(\.cpu) == [a: 150, b: 50, 0: 0])
    }

    @Test("goes on in the next window with what runs, and from then on only") func reopened() {
        let window = Window()
        window.run(a, at: 0)
        window.reopen(at: 1_000, cpu: 700)
        let charged = window.charged(at: 1_200, cpu: 900)
        #expect(charged.mapValues(\.cpu) == [a: 200, 0: 0])
        #expect(charged[a]?.pieces == 0)
    }

    @Test("never becomes negative if another processor's counter is behind") func behind() {
        let window = Window()
        window.run(a, at: 500)
        window.run(nil, at: 400)
        #expect(window.charged(at: 300, cpu: 10).mapValues(\.cpu) == [a: 0, 0: 10])
    }

    @Test("is charged once, and whole, whatever ran") func whole() {
        var random = SeededGenerator(seed: 48)
        for _ in 0..<1_000 {
            let window = Window()
            var now: UInt64 = 0
            for _ in 0..<UInt64.random(in: 1...150, using: &random) {
                let account = UInt64.random(in: 0...180, using: &random)
                window.run(account == 0 ? nil : account << 16, at: now)
                now += .random(in: 0...20_000, using: &random)
            }
            let cpu = UInt64.random(in: 0...(2 * now + 1), using: &random)
            #expect(window.charged(at: now, cpu: cpu).values.reduce(0) { $0 + $1.cpu } == cpu)
        }
        // More digits than a floating-point number has: it rounds up, and what is left must not become negative.
        for _ in 0..<100 {
            let (window, cpu) = (Window(), UInt64.random(in: 1 << 58...1 << 59, using: &random))
            let now = UInt64.random(in: 1 << 60...1 << 61, using: &random)
            window.run(a, at: 0)
            window.run(nil, at: now)
            #expect(window.charged(at: now, cpu: cpu).values.allSatisfy { $0.cpu <= UInt64(Double(cpu)) })
        }
    }
}
