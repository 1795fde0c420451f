import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension ExaminedBoundary {
    /// Threads, timers, run loops and observers.
    static let threads: [ExaminedBoundary] = [
        foundation("Thread { }", .created, "Thread.propagatingIdentity { }") { crossing in
            let thread = crossing.at(.created) { Thread(block: crossing.work) }
            crossing.at(.started) { thread.start() }
        } carried: { crossing in
            let thread = crossing.at(.created) { Thread.propagatingIdentity(block: crossing.work) }
            crossing.at(.started) { thread.start() }
        },
        foundation("Thread.detachNewThread", .called, "Thread.propagatingIdentity.detachNewThread") { crossing in
            crossing.at(.called) { Thread.detachNewThread(crossing.work) }
        } carried: { crossing in
            crossing.at(.called) { Thread.propagatingIdentity.detachNewThread(crossing.work) }
        },
        foundation("Timer", .created, "Timer.propagatingIdentity(…)") { crossing in
            let (loop, work) = (LoopThread(on: crossing), crossing.work)
            let timer = crossing.at(.created) { Timer(timeInterval: 0.0001, repeats: false) { _ in work() } }
            crossing.at(.inserted) { loop.runLoop.add(timer, forMode: .default) }
            crossing.at(.run) { loop.run() }
        } carried: { crossing in
            let (loop, work) = (LoopThread(on: crossing), crossing.work)
            let timer = crossing.at(.created) {
                Timer.propagatingIdentity(timeInterval: 0.0001, repeats: false, block: { _ in work() })
            }
            crossing.at(.inserted) { loop.runLoop.add(timer, forMode: .default) }
            crossing.at(.run) { loop.run() }
        },
        foundation("runLoop.perform", .registered, "runLoop.propagatingIdentity.perform") { crossing in
            let loop = LoopThread(on: crossing)
            crossing.at(.registered) { loop.runLoop.perform(crossing.work) }
            crossing.at(.run) { loop.run() }
        } carried: { crossing in
            let loop = LoopThread(on: crossing)
            crossing.at(.registered) { loop.runLoop.propagatingIdentity.perform(crossing.work) }
            crossing.at(.run) { loop.run() }
        },
        observer("NotificationCenter observer") { nil }.awaited,
        // Whoever posts waits for the observer's queue.
        observer("NotificationCenter observer, with a queue") { OperationQueue() }.awaited,
        foundation("progress.cancellationHandler", .set, "progress.propagatingIdentity") { crossing in
            let progress = Progress(totalUnitCount: 1)
            crossing.at(.set) { progress.cancellationHandler = crossing.work }
            crossing.at(.cancelled) { progress.cancel() }
        } carried: { crossing in
            let progress = Progress(totalUnitCount: 1)
            crossing.at(.set) { progress.propagatingIdentity.cancellationHandler = crossing.work }
            crossing.at(.cancelled) { progress.cancel() }
        },
    ]

    /// Processes and file handles.
    static let files: [ExaminedBoundary] = [
        foundation("process.terminationHandler", .set, "process.propagatingIdentity.terminationHandler") { crossing in
            let (process, work) = (Process(), crossing.work)
            crossing.at(.set) { process.terminationHandler = { _ in work() } }
            crossing.at(.started) { crossing.run(process) }
        } carried: { crossing in
            let (process, work) = (Process(), crossing.work)
            crossing.at(.set) { process.propagatingIdentity.terminationHandler = { _ in work() } }
            crossing.at(.started) { crossing.run(process) }
        }.dear,
        foundation("fileHandle.readabilityHandler", .set, "fileHandle.propagatingIdentity") { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) { pipe.reader.readabilityHandler = { _ in work() } }
            crossing.at(.written) { pipe.writer.write(Data([1])) }
        } carried: { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) { pipe.reader.propagatingIdentity.readabilityHandler = { _ in work() } }
            crossing.at(.written) { pipe.writer.write(Data([1])) }
        },
        foundation("fileHandle.writeabilityHandler", .set, "fileHandle.propagatingIdentity") { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) { pipe.writer.writeabilityHandler = { _ in work() } }
        } carried: { crossing in
            let (pipe, work) = (crossing.handles(), crossing.work)
            crossing.at(.set) { pipe.writer.propagatingIdentity.writeabilityHandler = { _ in work() } }
        },
    ]

    private static func foundation(
        _ name: String,
        _ captured: Moment,
        _ spelling: String,
        plain: @escaping Way,
        carried: @escaping Way
    ) -> ExaminedBoundary {
        ExaminedBoundary(name, .foundation, captured: captured, as: spelling, plain: plain, carried: carried)
    }

    private static func observer(
        _ name: String,
        _ makeQueue: @escaping @Sendable () -> OperationQueue?
    ) -> ExaminedBoundary {
        let posted = Notification.Name("identity-doctor")
        func way(
            _ add: @escaping @Sendable (NotificationCenter, OperationQueue?, @escaping @Sendable () -> Void) -> Any
        ) -> Way {
            { crossing in
                let (center, queue) = (NotificationCenter(), makeQueue())
                let observer = crossing.at(.registered) { add(center, queue, crossing.work) }
                let held = Held((center, queue, observer))
                crossing.afterwards { held.value.0.removeObserver(held.value.2) }
                crossing.at(.posted) { center.post(name: posted, object: nil) }
            }
        }
        return foundation(
            name,
            .registered,
            "center.propagatingIdentity.addObserver",
            plain: way { center, queue, work in
                center.addObserver(forName: posted, object: nil, queue: queue) { _ in work() }
            },
            carried: way { center, queue, work in
                center.propagatingIdentity.addObserver(
                    forName: posted,
                    object: nil,
                    queue: queue,
                    using: { _ in work() }
                )
            }
        )
    }
}

extension Crossing {
    /// Runs a child that ends at once and says nothing.
    fileprivate func run(_ process: Process) {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", ":"]
        do { try process.run() } catch { refuse("no process could be started: \(error.localizedDescription)") }
    }

    /// A pipe whose handlers will be taken away.
    fileprivate func handles() -> WatchedPipe {
        let pipe = WatchedPipe()
        afterwards { pipe.endWatching() }
        return pipe
    }
}
