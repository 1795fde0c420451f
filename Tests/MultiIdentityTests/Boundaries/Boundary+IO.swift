import Dispatch
import Foundation

@testable import MultiIdentity

extension Boundary {
    /// Handlers of dispatch I/O, and deallocators of its data.
    static let inputAndOutput = channels + descriptors + cleanups + deallocators

    private static let channels: [Boundary] = [
        Boundary("io read", on: .queue) { queue, work in
            let channel = channel(of: TestPipe(holding: [1]), \.readEnd, queue)
            channel.read(offset: 0, length: 1, queue: queue) { isDone, _, _ in if isDone { work() } }
            channel.close()
        },
        Boundary("io read, random access", on: .queue) { queue, work in
            let file = TestFile(holding: [1, 2, 3])
            let channel = DispatchIO(type: .random, fileDescriptor: file.descriptor, queue: queue) { _ in file.close() }
            channel.propagatingIdentity.read(offset: 1, length: 1, queue: queue) { isDone, _, _ in
                if isDone { work() }
            }
            channel.close()
        },
        Boundary("io read on main", on: .elsewhere) { _, work in
            let channel = channel(of: TestPipe(holding: [1]), \.readEnd, .main)
            channel.read(offset: 0, length: 1, queue: .main) { isDone, _, _ in if isDone { work() } }
            channel.close()
        },
        Boundary("io read of what cannot be read", on: .queue) { queue, work in
            let channel = DispatchIO(type: .stream, fileDescriptor: -1, queue: queue) { _ in }
            channel.propagatingIdentity.read(offset: 0, length: 1, queue: queue) { isDone, _, _ in
                if isDone { work() }
            }
        },
        Boundary("io write", on: .queue) { queue, work in
            let channel = channel(of: TestPipe(), \.writeEnd, queue)
            channel.write(offset: 0, data: oneByte, queue: queue) { isDone, _, _ in if isDone { work() } }
            channel.close()
        },
        Boundary("io barrier", on: .elsewhere) { queue, work in
            let channel = channel(of: TestPipe(), \.writeEnd, queue)
            channel.barrier(execute: work)
            channel.close()
        },
        Boundary("io barrier after a write", on: .elsewhere) { queue, work in
            let channel = channel(of: TestPipe(), \.writeEnd, queue)
            channel.base.write(offset: 0, data: oneByte, queue: queue) { _, _, _ in }
            channel.barrier(execute: work)
            channel.close()
        },
    ]

    private static let descriptors: [Boundary] = [
        Boundary("io read without a channel", on: .queue) { queue, work in
            let pipe = TestPipe(holding: [1])
            DispatchIO.propagatingIdentity.read(
                fromFileDescriptor: pipe.readEnd,
                maxLength: 1,
                runningHandlerOn: queue
            ) { _, _ in
                pipe.close()
                work()
            }
        },
        Boundary("io write without a channel", on: .queue) { queue, work in
            let pipe = TestPipe()
            DispatchIO.propagatingIdentity.write(
                toFileDescriptor: pipe.writeEnd,
                data: oneByte,
                runningHandlerOn: queue
            ) { _, _ in
                pipe.close()
                work()
            }
        },
    ]

    private static let cleanups: [Boundary] = [
        Boundary("io cleanup", on: .queue, captured: .created) { queue, work in
            let pipe = TestPipe()
            let channel = DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: pipe.readEnd, queue: queue) {
                _ in
                pipe.close()
                work()
            }
            return { channel.close() }
        },
        Boundary("io cleanup of a path's channel", on: .queue, captured: .created) { queue, work in
            let file = TestFile()
            let channel = DispatchIO.propagatingIdentity(
                type: .random,
                path: file.path,
                oflag: O_RDONLY,
                mode: 0,
                queue: queue
            ) { _ in
                file.close()
                work()
            }
            return { channel?.close() }
        },
        Boundary("io cleanup of a channel's channel", on: .queue, captured: .created) { queue, work in
            let pipe = TestPipe()
            let first = DispatchIO(type: .stream, fileDescriptor: pipe.readEnd, queue: queue) { _ in pipe.close() }
            let channel = DispatchIO.propagatingIdentity(type: .stream, io: first, queue: queue) { _ in work() }
            return {
                // Behind the second's beginning: a channel that is closed before has none to be made of.
                channel.barrier {
                    channel.close()
                    first.close()
                }
            }
        },
        Boundary("io cleanup of a channel that was let go", on: .queue, captured: .created) { queue, work in
            let pipe = TestPipe()
            let channel = Locked<DispatchIO?>(
                DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: pipe.readEnd, queue: queue) { _ in
                    pipe.close()
                    work()
                }
            )
            return { channel.withLock { $0 = nil } }
        },
    ]

    private static let deallocators: [Boundary] = [
        deallocator("deallocator", on: .queue) { .propagatingIdentity($0, $1) },
        deallocator("deallocator without a queue", on: .elsewhere) { .propagatingIdentity(nil, $1) },
        deallocator("deallocator on main", on: .elsewhere) { .propagatingIdentity(.main, $1) },
    ]

    private static func deallocator(
        _ name: String,
        on worker: Worker,
        make: @escaping @Sendable (DispatchQueue, @escaping Work) -> DispatchData.Deallocator
    ) -> Boundary {
        Boundary("data \(name)", on: worker, captured: .created) { queue, work in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
            let address = UInt(bitPattern: bytes.baseAddress)
            let deallocator = make(queue) {
                UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
                work()
            }
            let data = Locked<DispatchData?>(
                DispatchData(bytesNoCopy: UnsafeRawBufferPointer(bytes), deallocator: deallocator)
            )
            return { data.withLock { $0 = nil } }
        }
    }

    private static func channel(
        of pipe: TestPipe,
        _ end: KeyPath<TestPipe, Int32>,
        _ queue: DispatchQueue
    ) -> IdentityIO {
        DispatchIO(type: .stream, fileDescriptor: pipe[keyPath: end], queue: queue) { _ in pipe.close() }
            .propagatingIdentity
    }

    private static var oneByte: DispatchData { [UInt8(1)].withUnsafeBytes { DispatchData(bytes: $0) } }
}
