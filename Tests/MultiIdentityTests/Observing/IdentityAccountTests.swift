import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentityDiagnostics
import Synchronization
import Testing

@testable import MultiIdentity

@Suite("Accounts by identity") struct IdentityAccountTests {
    private typealias Holder = IdentityAccounts.Holder

    /// Works until this thread has used so much processor time.
    static func work(milliseconds: Int) {
        func used() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
        }
        let end = used() + milliseconds * 1_000_000
        while used() < end {}
    }

    private static func newIdentity() throws -> Identity { try Identity("\(UUID())@accounts.example") }

    /// The milliseconds of processor time of a holder.
    private static func spent(_ holder: Holder, _ boundary: IdentityBoundary?) -> Double {
        let rows = IdentityAccounts.snapshot().rows.filter { $0.holder == holder && $0.boundary == boundary }
        return rows.reduce(0) { $0 + $1.cpu / .milliseconds(1) }
    }

    private static var pieces: UInt64 { IdentityAccounts.snapshot().rows.reduce(0) { $0 + $1.pieces } }

    static func whileOn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        try await ProcessWideSwitch.exclusively {
            IdentityAccounts.isOn = true
            defer { IdentityAccounts.isOn = false }
            return try await body()
        }
    }

    @Test("charge a scope and handed-over work apart, and an inner scope's time to its own identity")
    func holders() async throws {
        let (outer, inner) = (try Self.newIdentity(), try Self.newIdentity())
        let boundary = IdentityBoundary("accounted \(UUID())")
        let spent = await Self.whileOn {
            await onNewThread {
                let captured = withIdentity(outer) { BoundaryCapture(at: boundary) }
                captured.restore {
                    Self.work(milliseconds: 30)
                    withIdentity(inner) { Self.work(milliseconds: 60) }
                    Self.work(milliseconds: 10)
                }
                withIdentity(inner) { captured.restore { Self.work(milliseconds: 20) } }
                return [Self.spent(.identity(outer), boundary), Self.spent(.identity(inner), nil)]
            }
        }
        // What a window cannot tell apart is a millisecond.
        #expect(abs(spent[0] - 60) < 5)
        #expect(abs(spent[1] - 60) < 5)
    }

    @Test("charge nobody and unset as such, and count pieces") func nobody() async throws {
        let boundary = IdentityBoundary("accounted \(UUID())")
        await Self.whileOn {
            await onNewThread {
                withIdentity(.nobody) { BoundaryCapture(at: boundary) }.restore { Self.work(milliseconds: 10) }
                for _ in 0..<5 { BoundaryCapture(at: boundary).restore { Self.work(milliseconds: 4) } }
                #expect(abs(Self.spent(.identity(.nobody), boundary) - 10) < 3)
            }
        }
        let unset = IdentityAccounts.snapshot().rows.first { $0.holder == .unset && $0.boundary == boundary }
        #expect(unset?.pieces == 5)
        #expect(abs((unset?.cpu ?? .zero) / .milliseconds(1) - 20) < 3)
    }

    @Test("show work that still runs, keep that of a thread that ended, and sum up to the process's time")
    func threads() async throws {
        let ada = try Self.newIdentity()
        let (worked, looked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        await Self.whileOn {
            async let ended: Void = onNewThread {
                withIdentity(ada) {
                    Self.work(milliseconds: 20)
                    worked.signal()
                    looked.wait()
                }
            }
            await onNewThread {
                worked.wait()
                #expect(abs(Self.spent(.identity(ada), nil) - 20) < 3)
                looked.signal()
            }
            await ended
        }
        #expect(abs(Self.spent(.identity(ada), nil) - 20) < 3)
        let snapshot = IdentityAccounts.snapshot()
        #expect(snapshot.rows.map(\.cpu).reduce(.zero, +) == snapshot.cpu)
    }

    @Test("keep what a thread did in the millisecond in which it ended") func ended() async throws {
        let boundary = IdentityBoundary("accounted \(UUID())")
        await Self.whileOn {
            let captured = Unmanaged.passRetained(Captured(at: boundary))
            CThread.run(captured.toOpaque()) { context in
                if let context { Unmanaged<Captured>.fromOpaque(context).takeRetainedValue().capture.restore {} }
                return nil
            }
        }
        #expect(IdentityAccounts.snapshot().rows.first { $0.boundary == boundary }?.pieces == 1)
    }

    private final class Captured: Sendable {
        let capture: BoundaryCapture
        init(at boundary: IdentityBoundary) { capture = BoundaryCapture(at: boundary) }
    }

    @Test(
        "have the time from hand-over to begin",
        arguments: [IdentityQueue.Draining.oneByOne, .inBatches, .fairly(by: .pieces)]
    )
    func waits(draining: IdentityQueue.Draining) async throws {
        let ada = try Self.newIdentity()
        await Self.whileOn {
            let (queue, done) = (IdentityQueue(label: "waits", draining: draining), DispatchSemaphore(value: 0))
            queue.suspend()
            let event = withIdentity(ada) {
                for _ in 0..<2 { queue.async { done.signal() } }
                queue.asyncAfter(deadline: .now()) { done.signal() }
                return BoundaryCapture(at: IdentityBoundary("event"))
            }
            Self.work(milliseconds: 20)
            event.restoreOnce {}
            queue.resume()
            await onNewThread { for _ in 0..<3 { done.wait() } }
        }
        let rows = IdentityAccounts.snapshot().rows.filter { $0.holder == .identity(ada) && $0.boundary != nil }
        let waits = Dictionary(rows.map { ($0.boundary, $0.waited) }, uniquingKeysWith: +)
        // Each is rounded to a microsecond or two.
        #expect(try #require(waits[.async]) >= .milliseconds(39))
        #expect(try #require(waits[.async]) < .seconds(40))
        #expect(waits.filter { $0.key != .async }.values.allSatisfy { $0 == .zero })
        #expect(rows.contains { "\($0)".contains("pieces, which waited ") })
    }

    @Test("charge nothing while they are off, and work that began before to its own identity") func off() async throws {
        let (before, after) = (try Self.newIdentity(), try Self.newIdentity())
        await Self.whileOn {
            await onNewThread {
                withIdentity(before) {
                    IdentityAccounts.isOn = false
                    withIdentity(after) { Self.work(milliseconds: 10) }
                }
                IdentityAccounts.isOn = true
                #expect(Self.spent(.identity(after), nil) == 0)
                #expect(abs(Self.spent(.identity(before), nil) - 10) < 3)
                withIdentity(after) {}
            }
        }
    }

    @Test("are bounded: who finds no account is one of the others, and no piece is lost") func bounded() async throws {
        let identities = try (0..<1_500).map { _ in try Self.newIdentity() }
        await Self.whileOn {
            await onNewThread {
                let before = Self.pieces
                for identity in identities { withIdentity(identity) {} }
                #expect(Self.pieces >= before + 1_500)
            }
        }
        let rows = IdentityAccounts.snapshot().rows
        // Who found none got no one else's.
        let own = Set(identities.map { Holder.identity($0) })
        #expect(rows.filter { own.contains($0.holder) }.allSatisfy { $0.boundary == nil && $0.pieces == 1 })
        let holders = Set(rows.map(\.holder))
        #expect(holders.contains(.others))
        #expect(holders.count <= 1_029)
    }

    /// Gives each account to another identity, in a distant future, at which none was seen lately.
    private static func evictAll(inFuture number: UInt64 = 2) throws {
        let later = mi_accounts_now() + .max / 4 * number
        for _ in 0..<1_024 { IdentityAccounting.claim(for: try newIdentity(), at: later) }
    }

    @Test("lose an evicted identity's time to the others, and find it again with an account of its own")
    func evicted() async throws {
        let ada = try Self.newIdentity()
        try await Self.whileOn {
            try Self.evictAll(inFuture: 1)  // there may be no account left from other tests
            await onNewThread { withIdentity(ada) { Self.work(milliseconds: 10) } }
            #expect(abs(Self.spent(.identity(ada), nil) - 10) < 3)
            let others = Self.spent(.others, nil)
            try Self.evictAll()
            #expect(Self.spent(.identity(ada), nil) == 0)
            #expect(Self.spent(.others, nil) >= others + 9)
            await onNewThread { withIdentity(ada) { Self.work(milliseconds: 10) } }
            #expect(abs(Self.spent(.identity(ada), nil) - 10) < 3)
        }
    }

    @Test("keep one whose work runs, however long it takes") func runningLong() async throws {
        let ada = try Self.newIdentity()
        try await Self.whileOn {
            try withIdentity(ada) {
                try Self.evictAll()
                #expect(mi_account_is_current(ada.spelling.record.account.load(ordering: .relaxed)))
            }
        }
    }

    @Test("keep one that was seen while another waited to claim an account") func seenMeanwhile() async throws {
        try await Self.whileOn {
            try Self.evictAll()
            let asked = mi_accounts_now() + .max / 2 + (1 << 40)  // minutes after that
            let ada = try Self.newIdentity()
            IdentityAccounting.claim(for: ada, at: asked + 1_000)
            for _ in 0..<1_024 { IdentityAccounting.claim(for: try Self.newIdentity(), at: asked) }
            #expect(mi_account_is_current(ada.spelling.record.account.load(ordering: .relaxed)))
        }
    }

    @Test("never take another identity at the address of an evicted one for it") func reused() async throws {
        try await Self.whileOn {
            var identity: Identity? = try Self.newIdentity()
            weak var record: IdentityRecord?
            record = identity?.spelling.record
            let address = record?.address
            withIdentity(identity) {}
            identity = nil
            #expect(record != nil)  // its account keeps it
            try Self.evictAll()
            #expect(record == nil)
            var kept: [Identity] = []
            while kept.count < 10_000, kept.last?.spelling.record.address != address {
                kept.append(try Self.newIdentity())
            }
            #expect(kept.allSatisfy { $0.spelling.record.account.load(ordering: .relaxed) == 0 })
        }
    }

    #if os(Linux)
    @Test("begin anew in the child of a fork, where the scope of the thread goes on") func fork() async throws {
        let ada = try Self.newIdentity()
        let status = await Self.whileOn {
            await onNewThread {
                withIdentity(ada) { Self.work(milliseconds: 30) }
                return withIdentity(ada) {
                    Self.work(milliseconds: 30)
                    return Self.statusOfChild {
                        Self.work(milliseconds: 10)
                        let (spent, all) = (Self.spent(.identity(ada), nil), IdentityAccounts.snapshot())
                        return abs(spent - 10) < 3 && all.cpu < .milliseconds(30)
                    }
                }
            }
        }
        #expect(status == 0)
    }

    static func statusOfChild(_ isRight: () -> Bool) -> Int32 {
        typealias Fork = @convention(c) () -> pid_t
        guard let fork = dlsym(nil, "fork") else { return -1 }
        let child = unsafeBitCast(fork, to: Fork.self)()
        if child == 0 {
            alarm(60)  // in case it waits for a thread that no longer exists
            _exit(isRight() ? 0 : 1)
        }
        var status: Int32 = 0
        return waitpid(child, &status, 0) == child ? status : -1
    }
    #endif
}
