import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension CataloguedBoundary {
    /// Threads, timers, run loops and observers.
    static let threads: [CataloguedBoundary] = [
        foundation("Thread { }", .created, "Thread.propagatingIdentity { }") { crossing in
            let thread = crossing.at(.created) {
                crossing.carries ? .propagatingIdentity(block: crossing.work) : Thread(block: crossing.work)
            }
            crossing.then(.started) { thread.start() }
        }.taking(#"Thread\.(init\(block:\)|detachNewThread\(_:\))"#),
        foundation("Thread.detachNewThread", .called, "Thread.propagatingIdentity.detachNewThread") { crossing in
            crossing.at(.called) {
                crossing.carries
                    ? Thread.propagatingIdentity.detachNewThread(crossing.work)
                    : Thread.detachNewThread(crossing.work)
            }
        },
        foundation("Timer", .created, "Timer.propagatingIdentity(…)") { crossing in
            let (loop, work) = (LoopThread(on: crossing), crossing.work)
            let timer = crossing.at(.created) {
                crossing.carries
                    ? .propagatingIdentity(timeInterval: 0.0001, repeats: false, block: { _ in work() })
                    : Timer(timeInterval: 0.0001, repeats: false) { _ in work() }
            }
            crossing.then(.inserted) { loop.runLoop.add(timer, forMode: .default) }
            crossing.then(.run) { loop.run() }
        }.crossedAlone(because: "a thread with a run loop for each crossing; runLoop.perform shares one").taking(
            #"Timer\.(init|scheduledTimer)\(.*"#
        ),
        foundation("runLoop.perform", .registered, "runLoop.propagatingIdentity.perform") { crossing in
            let loop = LoopThread(on: crossing)
            crossing.at(.registered) {
                crossing.carries
                    ? loop.runLoop.propagatingIdentity.perform(crossing.work) : loop.runLoop.perform(crossing.work)
            }
            crossing.then(.run) { loop.run() }
        }.taking(#"RunLoop\.perform\(.*"#),
        observer("NotificationCenter observer", on: .caller) { nil }.taking(#"NotificationCenter\.addObserver\(.*"#),
        // The poster waits for the observer's queue.
        observer("NotificationCenter observer, with a queue", on: .elsewhereAwaited) { OperationQueue() }.crossedAlone(
            because: "its poster waits for a pool of threads, which could run dry"
        ),
        foundation("progress.cancellationHandler", .set, "progress.propagatingIdentity") { crossing in
            let progress = Progress(totalUnitCount: 1)
            crossing.at(.set) {
                if crossing.carries {
                    progress.propagatingIdentity.cancellationHandler = crossing.work
                } else {
                    progress.cancellationHandler = crossing.work
                }
            }
            crossing.then(.cancelled) { progress.cancel() }
        }.taking(#"Progress\.\w+Handler"#),
    ]

    /// Processes and file handles.
    static let files: [CataloguedBoundary] = [
        foundation("process.terminationHandler", .set, "process.propagatingIdentity.terminationHandler", .dear) {
            crossing in
            let (process, work) = (Process(), crossing.work)
            crossing.at(.set) {
                if crossing.carries {
                    process.propagatingIdentity.terminationHandler = { _ in work() }
                } else {
                    process.terminationHandler = { _ in work() }
                }
            }
            crossing.then(.started) { crossing.run(process) }
        }.crossedAlone(because: "a process for each crossing").taking(#"Process\.(run\(.*|terminationHandler)"#),
        foundation("fileHandle.readabilityHandler", .set, "fileHandle.propagatingIdentity") { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) {
                if crossing.carries {
                    pipe.reader.propagatingIdentity.readabilityHandler = { _ in work() }
                } else {
                    pipe.reader.readabilityHandler = { _ in work() }
                }
            }
            crossing.then(.written) { pipe.writer.write(Data([1])) }
        }.crossedAlone(because: "a descriptor that Foundation releases at an unknown time").taking(
            #"FileHandle\.\w+Handler"#
        ),
        foundation("fileHandle.writeabilityHandler", .set, "fileHandle.propagatingIdentity") { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) {
                if crossing.carries {
                    pipe.writer.propagatingIdentity.writeabilityHandler = { _ in work() }
                } else {
                    pipe.writer.writeabilityHandler = { _ in work() }
                }
            }
        }.crossedAlone(because: "a descriptor that Foundation releases at an unknown time"),
    ]

    private static func foundation(
        _ name: String,
        _ captured: Moment,
        _ spelling: String,
        on worker: Worker = .elsewhere,
        _ traits: Traits = [],
        cross: @escaping Way
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .foundation, captured: captured, on: worker, as: spelling, traits, cross: cross)
    }

    private static func observer(
        _ name: String,
        on worker: Worker,
        _ makeQueue: @escaping @Sendable () -> OperationQueue?
    ) -> CataloguedBoundary {
        let posted = Notification.Name("multi-identity.catalogue")
        return foundation(name, .registered, "center.propagatingIdentity.addObserver", on: worker) { crossing in
            let center = crossing.shared.center ?? NotificationCenter()
            // One for each crossing, so that each observes its own. Both are kept until it is removed: a center distinguishes
            // subjects by their addresses, and does not retain a queue.
            let (subject, queue) = (Subject(), makeQueue())
            let registered = Locked<Held<Any>?>(nil)
            crossing.afterwards {
                guard let observer = registered.withLock({ $0 })?.value else { return }
                center.removeObserver(observer)
                withExtendedLifetime((subject, queue)) {}
            }
            let work = crossing.work
            let observer: Any = crossing.at(.registered) {
                crossing.carries
                    ? center.propagatingIdentity.addObserver(
                        forName: posted,
                        object: subject,
                        queue: queue,
                        using: { _ in work() }
                    )
                    : center.addObserver(forName: posted, object: subject, queue: queue) { _ in work() }
            }
            let held = Held(observer)
            registered.withLock { $0 = held }
            crossing.then(.posted) { center.post(name: posted, object: subject) }
        }
    }
}

/// The object of a notification: an `NSObject`, since Foundation of Swift 6.2 does not find other objects again.
private final class Subject: NSObject, Sendable {}

extension BoundaryCrossing {
    /// Runs a child process that ends at once, without output.
    fileprivate func run(_ process: Process) {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", ":"]
        do { try process.run() } catch { refuse("no process could be started: \(error.localizedDescription)") }
    }

    /// Makes a pipe, and removes its handlers afterwards.
    fileprivate func handles() -> WatchedPipe {
        let pipe = WatchedPipe()
        afterwards { pipe.endWatching() }
        return pipe
    }
}
