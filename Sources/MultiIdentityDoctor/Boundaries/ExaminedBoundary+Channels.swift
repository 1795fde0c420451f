import Dispatch
import Foundation
import MultiIdentity

extension ExaminedBoundary {
    /// Channels, reads and writes without one, and the data they hand around.
    static let channels: [ExaminedBoundary] = [
        channel("channel.read, of a stream", over: .readingEnd) {
            $0.read(offset: 0, length: 1, queue: $1.queue, ioHandler: $1.ioHandler)
        } carried: {
            $0.propagatingIdentity.read(offset: 0, length: 1, queue: $1.queue, ioHandler: $1.ioHandler)
        },
        channel("channel.write, of a stream", over: .writingEnd) {
            $0.write(offset: 0, data: .one, queue: $1.queue, ioHandler: $1.ioHandler)
        } carried: {
            $0.propagatingIdentity.write(offset: 0, data: .one, queue: $1.queue, ioHandler: $1.ioHandler)
        },
        channel("channel.read, at random", over: .file) {
            $0.read(offset: 0, length: 1, queue: $1.queue, ioHandler: $1.ioHandler)
        } carried: {
            $0.propagatingIdentity.read(offset: 0, length: 1, queue: $1.queue, ioHandler: $1.ioHandler)
        },
        channel("channel.write, at random", over: .file) {
            $0.write(offset: 0, data: .one, queue: $1.queue, ioHandler: $1.ioHandler)
        } carried: {
            $0.propagatingIdentity.write(offset: 0, data: .one, queue: $1.queue, ioHandler: $1.ioHandler)
        },
        channel("channel.barrier", over: .file) {
            $0.barrier(execute: $1.work)
        } carried: {
            $0.propagatingIdentity.barrier(execute: $1.work)
        },
        cleanupHandler,
        descriptor("DispatchIO.read(fromFileDescriptor:)") { descriptor, crossing in
            let work = crossing.work
            DispatchIO.read(fromFileDescriptor: descriptor, maxLength: 1, runningHandlerOn: crossing.queue) { _, _ in
                work()
            }
        } carried: { descriptor, crossing in
            let work = crossing.work
            DispatchIO.propagatingIdentity.read(
                fromFileDescriptor: descriptor,
                maxLength: 1,
                runningHandlerOn: crossing.queue,
                handler: { _, _ in work() }
            )
        },
        descriptor("DispatchIO.write(toFileDescriptor:)") { descriptor, crossing in
            let work = crossing.work
            DispatchIO.write(toFileDescriptor: descriptor, data: .one, runningHandlerOn: crossing.queue) { _, _ in
                work()
            }
        } carried: { descriptor, crossing in
            let work = crossing.work
            DispatchIO.propagatingIdentity.write(
                toFileDescriptor: descriptor,
                data: .one,
                runningHandlerOn: crossing.queue,
                handler: { _, _ in work() }
            )
        },
        deallocator,
    ]

    /// What a channel is opened over.
    private enum Ground: Sendable {
        case readingEnd, writingEnd, file
    }

    /// A call on a channel.
    private static func channel(
        _ name: String,
        over ground: Ground,
        plain: @escaping @Sendable (DispatchIO, Crossing) -> Void,
        carried: @escaping @Sendable (DispatchIO, Crossing) -> Void
    ) -> ExaminedBoundary {
        let make: @Sendable (Crossing) -> DispatchIO? = { crossing in
            if ground == .file { return crossing.file().map { open(.random, [$0], of: $0, on: crossing) } }
            return crossing.pipe().map { pipe in
                if ground == .readingEnd { pipe.write() }
                let end = ground == .readingEnd ? pipe.reading : pipe.writing
                return open(.stream, [pipe.reading, pipe.writing], of: end, on: crossing)
            }
        }
        return ExaminedBoundary(name, .channels, captured: .called, as: "channel.propagatingIdentity") { crossing in
            guard let channel = make(crossing) else { return }
            crossing.at(.called) { plain(channel, crossing) }
        } carried: { crossing in
            guard let channel = make(crossing) else { return }
            crossing.at(.called) { carried(channel, crossing) }
        }
    }

    private static func open(
        _ type: DispatchIO.StreamType,
        _ descriptors: [Int32],
        of descriptor: Int32,
        on crossing: Crossing
    ) -> DispatchIO {
        let hasLetGo = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "identity-doctor.channel")
        let channel = DispatchIO(type: type, fileDescriptor: descriptor, queue: queue) { _ in hasLetGo.signal() }
        let held = Held(channel)
        crossing.closeAfterwards(descriptors) { close in
            held.value.close(flags: .stop)
            if hasLetGo.wait(timeout: .now() + .seconds(1)) == .success { close() }
        }
        return channel
    }

    private static let cleanupHandler = ExaminedBoundary(
        "DispatchIO, cleanup handler",
        .channels,
        captured: .created,
        as: "DispatchIO.propagatingIdentity(…)"
    ) { crossing in
        guard let file = crossing.file() else { return }
        let work = crossing.work
        let channel = crossing.at(.created) {
            DispatchIO(type: .random, fileDescriptor: file, queue: crossing.queue) { _ in
                close(file)
                work()
            }
        }
        crossing.at(.closed) { channel.close() }
    } carried: { crossing in
        guard let file = crossing.file() else { return }
        let work = crossing.work
        let channel = crossing.at(.created) {
            DispatchIO.propagatingIdentity(
                type: .random,
                fileDescriptor: file,
                queue: crossing.queue,
                cleanupHandler: { _ in
                    close(file)
                    work()
                }
            )
        }
        crossing.at(.closed) { channel.close() }
    }

    /// A call on a file of its own.
    private static func descriptor(
        _ name: String,
        plain: @escaping @Sendable (Int32, Crossing) -> Void,
        carried: @escaping @Sendable (Int32, Crossing) -> Void
    ) -> ExaminedBoundary {
        func way(_ call: @escaping @Sendable (Int32, Crossing) -> Void) -> Way {
            { crossing in
                guard let file = crossing.file() else { return }
                crossing.afterwards { close(file) }  // the handler runs when libdispatch has let go of it
                crossing.at(.called) { call(file, crossing) }
            }
        }
        let spelling = name.replacing("DispatchIO.", with: "DispatchIO.propagatingIdentity.")
        return ExaminedBoundary(
            name,
            .channels,
            captured: .called,
            as: spelling,
            plain: way(plain),
            carried: way(carried)
        )
    }

    private static let deallocator = ExaminedBoundary(
        "DispatchData, deallocator",
        .channels,
        captured: .created,
        as: "DispatchData.Deallocator.propagatingIdentity"
    ) { crossing in
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        crossing.at(.created) {
            Released(
                DispatchData(
                    bytesNoCopy: UnsafeRawBufferPointer(bytes),
                    deallocator: .custom(crossing.queue, crossing.work)
                )
            )
        }.release(on: crossing, freeing: bytes)
    } carried: { crossing in
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        crossing.at(.created) {
            Released(
                DispatchData(
                    bytesNoCopy: UnsafeRawBufferPointer(bytes),
                    deallocator: .propagatingIdentity(crossing.queue, crossing.work)
                )
            )
        }.release(on: crossing, freeing: bytes)
    }
}

/// Holds data until it is released.
private final class Released {
    private var data: DispatchData?

    init(_ data: DispatchData) { self.data = data }

    func release(on crossing: Crossing, freeing bytes: UnsafeMutableRawBufferPointer) {
        let bytes = Held(bytes)
        crossing.afterwards { bytes.value.deallocate() }
        crossing.at(.released) { data = nil }
    }
}

extension Crossing {
    fileprivate var ioHandler: @Sendable (Bool, DispatchData?, Int32) -> Void {
        let work = work
        return { isDone, _, _ in if isDone { work() } }
    }
}

extension DispatchData {
    fileprivate static var one: DispatchData { [1].withUnsafeBytes { DispatchData(bytes: $0) } }
}
