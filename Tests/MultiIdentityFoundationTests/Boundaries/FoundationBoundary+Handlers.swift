import Foundation
import MultiIdentity
import MultiIdentityDoctor
import MultiIdentityFoundation

extension FoundationBoundary {
    static let notifications: [FoundationBoundary] = [
        observer("notification") { nil },
        observer("notification on a queue") { OperationQueue() },
        observer("notification on a queue that carries") { IdentityOperationQueue() },
        FoundationBoundary("notification about an object, for any name", .reusable) { work in
            let center = NotificationCenter()
            let object = NSObject()
            let token = center.propagatingIdentity.addObserver(forName: nil, object: object, queue: nil) { _ in work() }
            return Given(
                setOff: { center.post(name: .given, object: object) },
                end: { center.removeObserver(token) }
            )
        },
    ]

    private static func observer(
        _ name: String,
        queue: @escaping @Sendable () -> OperationQueue?
    ) -> FoundationBoundary {
        FoundationBoundary(name, .reusable) { work in
            let center = NotificationCenter()
            let queue = queue()
            let token = center.propagatingIdentity.addObserver(forName: .given, object: nil, queue: queue) { _ in
                work()
            }
            return Given(
                setOff: { withExtendedLifetime(queue) { center.post(name: .given, object: nil) } },
                end: { center.removeObserver(token) }
            )
        }
    }

    static let processes: [FoundationBoundary] = [
        FoundationBoundary("process termination", .once) { work in
            let process = Process()
            process.executableURL = .true
            process.propagatingIdentity.terminationHandler = { _ in work() }
            return Given(
                setOff: {
                    do { try process.run() } catch { preconditionFailure("\(error)") }
                },
                end: { process.propagatingIdentity.terminationHandler = nil }
            )
        },
        FoundationBoundary("process that is run by one call", captured: .setOff, .once) { work in
            let kept = Locked<Process?>(nil)
            return Given.byOneCall(work) { work in
                do {
                    let process = try Process.propagatingIdentity.run(.true, arguments: []) { _ in work() }
                    kept.withLock { $0 = process }
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        },
    ]

    static let fileHandles: [FoundationBoundary] = [
        FoundationBoundary("readable file handle", .reusable) { work in
            let pipe = WatchedPipe()
            pipe.reader.propagatingIdentity.readabilityHandler = { handle in
                if !handle.availableData.isEmpty { work() }
            }
            return Given(
                setOff: { pipe.writer.write(Data([0])) },
                end: { pipe.reader.propagatingIdentity.readabilityHandler = nil }
            )
        },
        FoundationBoundary("writeable file handle", .reusable) { work in
            let pipe = FullPipe()
            // It would be called as long as there is space.
            pipe.writer.propagatingIdentity.writeabilityHandler = { [weak pipe] _ in
                pipe?.fill()
                work()
            }
            return Given(setOff: { pipe.drain() }, end: { pipe.writer.writeabilityHandler = nil })
        },
    ]

    static let progress: [FoundationBoundary] = [
        FoundationBoundary("cancellation of a progress", .reusable) { work in
            let progress = Progress(totalUnitCount: 1)
            progress.propagatingIdentity.cancellationHandler = work
            return Given(
                setOff: { progress.cancel() },
                end: { progress.propagatingIdentity.cancellationHandler = nil }
            )
        },
        FoundationBoundary("cancellation of a parent progress", .reusable) { work in
            let parent = Progress(totalUnitCount: 1)
            let child = Progress(totalUnitCount: 1, parent: parent, pendingUnitCount: 1)
            child.propagatingIdentity.cancellationHandler = work
            return Given(setOff: { parent.cancel() }, end: { child.cancellationHandler = nil })
        },
        FoundationBoundary("pausing of a progress", .reusable) { work in
            let progress = Progress(totalUnitCount: 1)
            progress.propagatingIdentity.pausingHandler = work
            return Given(setOff: { progress.pause() }, end: { progress.propagatingIdentity.pausingHandler = nil })
        },
        FoundationBoundary("resuming of a progress", .reusable) { work in
            let progress = Progress(totalUnitCount: 1)
            progress.propagatingIdentity.resumingHandler = work
            return Given(setOff: { progress.resume() }, end: { progress.propagatingIdentity.resumingHandler = nil })
        },
    ]
}

extension Notification.Name {
    static let given = Notification.Name("multi-identity.given")
}

extension URL {
    /// A program that ends at once, successfully.
    static let `true` = URL(fileURLWithPath: "/bin/true")
}

/// A pipe without space, until it is drained.
final class FullPipe: Sendable {
    private let pipe = WatchedPipe()
    private let count = Locked(0)

    init() {
        _ = fcntl(writer.fileDescriptor, F_SETFL, O_NONBLOCK)
        fill()
    }

    var writer: FileHandle { pipe.writer }

    func fill() {
        let page = [UInt8](repeating: 0, count: 4_096)
        count.withLock { count in
            while true {
                let written = page.withUnsafeBytes { write(writer.fileDescriptor, $0.baseAddress, $0.count) }
                if written <= 0 { return }
                count += written
            }
        }
    }

    func drain() {
        count.withLock { count in
            while count > 0 { count -= pipe.reader.readData(ofLength: count).count }
        }
    }
}
