import Dispatch
import Foundation
import Testing

@testable import MultiIdentity
@testable import MultiIdentityDiagnostics

@Suite("Work that runs once, while revocation is on") struct OneShotWorkTests {
    static func counts(of identity: Identity) -> [Int] {
        let work = IdentityRevocation.workInFlight(of: identity)
        return [work.captured, work.running]
    }

    static func capture() -> BoundaryCapture {
        BoundaryCapture(at: .async, onto: .global(), runsOnce: true, #fileID, #line)
    }

    /// Makes a box with work captured as an identity.
    static func handedOver(by identity: Identity, _ work: @escaping @Sendable () -> Void) -> Int {
        withIdentity(identity) { Int(bitPattern: WorkBox(work, capture()).givenUp()) }
    }

    static func run(_ box: Int) { WorkBox.runGivenUp(UnsafeMutableRawPointer(bitPattern: box)) }

    private static func frame(_ capture: BoundaryCapture) -> ObjectIdentifier? {
        capture.isCounted ? capture.snapshot.frame.map { ObjectIdentifier($0) } : nil
    }

    @Test(
        "shares one frame with everything that its scope hands over, and with what it hands over itself",
        .rule("10.6"),
        .aboutTheMirror
    )
    func sharesFrame() async {
        // In a process where no other feature is in use: other features take their own frames.
        await #expect(processExitsWith: .success) { try await OneShotWorkTests.sharesFrameAlone() }
    }

    private static func sharesFrameAlone() async throws {
        try await Revocation.whileOn { ada in
            let (first, second) = withIdentity(ada) { (Self.capture(), Self.capture()) }
            let other = withIdentity(ada) { Self.capture() }
            defer { for capture in [first, second, other] { _ = WorkBox({}, capture) } }
            #expect(Self.frame(first) != nil)
            #expect(Self.frame(first) == Self.frame(second))
            #expect(Self.frame(first) != Self.frame(other))
            let frames = await onNewThread {
                let frames = Notes<ObjectIdentifier?>()
                let box = withIdentity(ada) {
                    let outer = Self.capture()
                    frames.add(Self.frame(outer))
                    return Int(
                        bitPattern: WorkBox(
                            {
                                let inner = Self.capture()
                                frames.add(Self.frame(inner))
                                _ = WorkBox({}, inner)
                            },
                            outer
                        ).givenUp()
                    )
                }
                Self.run(box)
                return frames.all
            }
            #expect(frames.count == 2 && frames[0] != nil && frames[0] == frames[1])
        }
    }

    @Test("keeps an identity around its scope alive while it runs, and no longer", .rule("1.5"))
    func shadowed() async throws {
        IdentityRevocation.isOn = true
        let bob = try Revocation.newIdentity("bob")
        let (around, isThere, inner) = (Locked(WeakRecord()), Notes<Bool>(), Notes<Int>())
        // Only its own binding retains it in the meantime.
        await withIdentity(try Revocation.newIdentity()) {
            Task.propagatingIdentity.detached {
                around.withLock { $0.record = Identity.current?.spelling.record }
                withIdentity(bob) {
                    inner.add(Int(bitPattern: WorkBox({}, Self.capture()).givenUp()))
                    isThere.add(around.withLock { $0.record != nil })
                }
            }
        }.value
        #expect(isThere.all == [true])
        await eventually { around.withLock { $0.record } == nil }
        for box in inner.all { Self.run(box) }
    }

    private struct WeakRecord { weak var record: IdentityRecord? }

    @Test("is counted until it begins or is dropped, in addition to another identity's work around it", .rule("10.6"))
    func counted() async throws {
        try await Revocation.whileOn { ada in
            let bob = try Revocation.newIdentity("bob")
            do { withIdentity(ada) { _ = WorkBox({}, Self.capture()) } }
            #expect(Self.counts(of: ada) == [0, 0])
            let inner = [Identity?.none, ada].map { around in
                let box = Self.handedOver(by: bob) {
                    #expect(Self.counts(of: ada) == [0, around == nil ? 1 : 2])
                    #expect(Self.counts(of: bob)[1] == 1)
                }
                return (around, box)
            }
            let outer = Self.handedOver(by: ada) {
                #expect(Self.counts(of: ada) == [0, 1])
                for (around, box) in inner {
                    withIdentity(around) { Self.run(box) }
                    #expect(Self.counts(of: ada) == [0, 1])
                }
                #expect(Self.counts(of: bob) == [0, 0])
            }
            #expect(Self.counts(of: ada) == [1, 0])
            await onNewThread { Self.run(outer) }
            #expect(Self.counts(of: ada) == [0, 0])
            #expect(Self.counts(of: bob) == [0, 0])
        }
    }

    @Test(
        "is counted, recorded with its hop and revoked as usual if hops and running work are recorded",
        .rule("10.6"),
        .aboutTheMirror
    )
    func notedBesides() async {
        // In a process where no other feature is in use: budgets and other features take their own frames.
        await #expect(processExitsWith: .success) {
            Explanation.recordsProvenance = true
            RunningWork.isRecorded = true
            HopCounters.areEnabled = true
            let trace = TaskLocal(wrappedValue: 0)
            try await OneShotWorkTests.notedAlone(trace)
            IdentityCompanions.carry(trace)
            try await OneShotWorkTests.notedAlone(trace)
        }
    }

    private static func notedAlone(_ trace: TaskLocal<Int>) async throws {
        let traces = Notes<Int>()
        let (before, expected) = (HopCounters.counts(of: .async).captured, IdentityCompanions.count == 1 ? 7 : 0)
        for isRevoked in [false, true] {
            try await Revocation.whileOn { ada in
                let (queue, seen, work) = (IdentityQueue(label: "mail"), Notes<Standing>(), Notes<[RunningWork]>())
                queue.base.suspend()
                withIdentity(ada) {
                    trace.withValue(7) {
                        queue.async {
                            seen.add(.here)
                            traces.add(trace.get())
                            work.add(RunningWork.all)
                            queue.async { seen.add(.here) }
                            if !isRevoked { #expect(Self.counts(of: ada) == [1, 1]) }
                        }
                    }
                }
                #expect(Self.counts(of: ada) == [1, 0])
                if isRevoked { IdentityRevocation.revoke(ada, for: .signedOut) }
                queue.base.resume()
                queue.base.sync {}
                queue.base.sync {}
                let standing: Standing = isRevoked ? .revoked(ada, .signedOut) : .working(ada)
                #expect(seen.all == [standing, standing])
                let noted = work.all.first?.first
                #expect(noted?.identity == (isRevoked ? .nobody : ada))
                #expect(noted?.hops == 1 && noted?.boundary == .async && noted?.place == "mail")
                #expect(work.all.first?.count == 1 && RunningWork.all.isEmpty)
                #expect(Self.counts(of: ada) == [0, 0])
            }
        }
        #expect(traces.all == [expected, expected])
        #expect(HopCounters.counts(of: .async).captured == before + 4)
    }

    @Test("continues as its identity once it has begun, while its plain task shows nobody", .rule("10.3"))
    func plainTask() async throws {
        try await Revocation.whileOn { ada in
            let (began, goOn) = (Gate(), Gate())
            let tasks = Notes<Task<[Standing], Never>>()
            let box = Self.handedOver(by: ada) {
                tasks.add(
                    Task {
                        let before = Standing.here
                        began.open()
                        await goOn.wait()
                        return [before, Standing.here]
                    }
                )
            }
            await onNewThread { Self.run(box) }
            await began.wait()
            IdentityRevocation.revoke(ada, for: .signedOut)
            goOn.open()
            #expect(await tasks.all.first?.value == [.working(ada), .revoked(ada, .signedOut)])
        }
        try await Revocation.whileOn { ada in
            let seen = Notes<Standing>()
            let box = Self.handedOver(by: ada) {
                IdentityRevocation.revoke(ada, for: .wiped)
                seen.add(.here)
            }
            await onNewThread { Self.run(box) }
            #expect(seen.all == [.working(ada)])
        }
    }

    @Test("does not begin as its identity once that was revoked, even after a readmission", .rule("10.1"))
    func revokedBefore() async throws {
        for isReadmitted in [false, true] {
            try await Revocation.whileOn { ada in
                let seen = Notes<Standing>()
                let box = Self.handedOver(by: ada) { seen.add(.here) }
                IdentityRevocation.revoke(ada, for: .signedOut)
                if isReadmitted { IdentityRevocation.readmit(ada, after: .signedOut) }
                await onNewThread { Self.run(box) }
                #expect(seen.all == [.revoked(ada, .signedOut)])
                #expect(Self.counts(of: ada) == [0, 0])
            }
        }
    }

    // Such a thread does not release what it retained: the address sanitizer reports leaks.
    @Test(
        "no longer counts if its thread has exited in it, and neither does a scope in it",
        .rule("10.6"),
        .enabled(if: !Sanitizer.isAddress),
        .aboutTheMirror,
        arguments: [true, false]
    )
    func exitedThread(isCountedByItsBox: Bool) async throws {
        try await Revocation.whileOn { ada in
            let seen = Notes<[Int]>()
            let exits: @Sendable () -> Void = {
                seen.add(Self.counts(of: ada))
                pthread_exit(nil)
            }
            let works: [@Sendable () -> Void] = [exits, { withIdentity(ada) { withIdentity(nil) { exits() } } }]
            for (number, work) in works.enumerated() {
                let box = withIdentity(ada) {
                    let captured = isCountedByItsBox ? Self.capture() : BoundaryCapture(at: .async)
                    return Int(bitPattern: WorkBox(work, captured).givenUp())
                }
                CThread.start(try #require(UnsafeMutableRawPointer(bitPattern: box))) { box in
                    WorkBox.runGivenUp(box)
                    return nil
                }
                await eventually { seen.all.count > number }
                #expect(seen.all[number] == [0, number + 1])
                await eventually { Self.counts(of: ada) == [0, 0] }
            }
        }
    }

    @Test("either began before its identity was revoked and drained, or does not begin as that", .rule("10.6"))
    func beginsBeforeOrNever() async throws {
        for _ in 0..<500 {
            try await Revocation.whileOn { ada in
                let isDrained = Locked(false)
                let tooLate = Locked(0)
                let boxes = (0..<4).map { _ in
                    Self.handedOver(by: ada) {
                        if Identity.current == ada, isDrained.withLock({ $0 }) { tooLate.withLock { $0 += 1 } }
                    }
                }
                let hasRun = Gate()
                Thread.detachNewThread {
                    for box in boxes { Self.run(box) }
                    hasRun.open()
                }
                IdentityRevocation.revoke(ada, for: .signedOut)
                if await IdentityRevocation.drain(ada, timeout: .seconds(60)).isDrained {
                    isDrained.withLock { $0 = true }
                }
                await hasRun.wait()
                #expect(tooLate.withLock { $0 } == 0)
            }
        }
    }
}
