import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension FoundationBoundary {
    static let threads: [FoundationBoundary] = [
        FoundationBoundary("thread", .once) { work in
            let thread = Thread.propagatingIdentity { work() }
            return Given(setOff: { thread.start() })
        },
        FoundationBoundary("thread, by its label", .once) { work in
            let thread = Thread.propagatingIdentity(block: work)
            return Given(setOff: { thread.start() })
        },
        FoundationBoundary("detached thread", captured: .setOff, .once) { work in
            Given.byOneCall(work) { Thread.propagatingIdentity.detachNewThread($0) }
        },
    ]

    static let timers: [FoundationBoundary] = [
        timer("timer", .once) { Timer.propagatingIdentity(timeInterval: 0, repeats: false, block: $0) },
        timer("timer that repeats", .reusable) {
            Timer.propagatingIdentity(timeInterval: 0.001, repeats: true, block: $0)
        },
        timer("timer with a date", .once) {
            Timer.propagatingIdentity(fire: Date(), interval: 0, repeats: false, block: $0)
        },
        timer("timer with a date that repeats", .reusable) {
            Timer.propagatingIdentity(fire: Date(), interval: 0.001, repeats: true, block: $0)
        },
        timer("scheduled timer", isScheduled: true, .once) {
            Timer.propagatingIdentity.scheduledTimer(withTimeInterval: 0, repeats: false, block: $0)
        },
        timer("scheduled timer that repeats", isScheduled: true, .reusable) {
            Timer.propagatingIdentity.scheduledTimer(withTimeInterval: 0.001, repeats: true, block: $0)
        },
        FoundationBoundary("timer that is fired by hand", .once) { work in
            let timer = Timer.propagatingIdentity(timeInterval: 0, repeats: false) { _ in work() }.reachable
            return Given(setOff: { timer.fire() }, end: { timer.invalidate() })
        },
        FoundationBoundary("timer that repeats and is fired by hand", .reusable) { work in
            let timer = Timer.propagatingIdentity(timeInterval: 60, repeats: true) { _ in work() }.reachable
            return Given(setOff: { timer.fire() }, end: { timer.invalidate() })
        },
    ]

    static let runLoops: [FoundationBoundary] = [
        FoundationBoundary("run loop", .once) { work in
            let runs = Notes<Void>()
            RunLoop.current.propagatingIdentity.perform {
                work()
                runs.add(())
            }
            return Given(setOff: { runCurrentLoop(untilAdded: runs) })
        },
        FoundationBoundary("run loop in modes", .once) { work in
            let runs = Notes<Void>()
            let mode = RunLoop.Mode("multi-identity.test")
            RunLoop.current.propagatingIdentity.perform(inModes: [.common, mode]) {
                work()
                runs.add(())
            }
            return Given(setOff: { runCurrentLoop(in: mode, untilAdded: runs) })
        },
    ]

    private static func timer(
        _ name: String,
        isScheduled: Bool = false,
        _ lifetime: Lifetime,
        make: @escaping @Sendable (@escaping @Sendable (Timer) -> Void) -> Timer
    ) -> FoundationBoundary {
        FoundationBoundary(name, lifetime) { work in
            let runs = Notes<Void>()
            let timer = make { _ in
                work()
                runs.add(())
            }.reachable
            if !isScheduled { RunLoop.current.add(timer, forMode: .default) }
            return Given(setOff: { runCurrentLoop(untilAdded: runs) }, end: { timer.invalidate() })
        }
    }

    /// Runs this thread's run loop until there is one more note.
    private static func runCurrentLoop(in mode: RunLoop.Mode = .default, untilAdded runs: Notes<Void>) {
        let before = runs.all.count
        while runs.all.count == before {
            _ = RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 0.01))
        }
    }
}
