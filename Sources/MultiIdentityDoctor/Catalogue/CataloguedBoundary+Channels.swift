import Dispatch
import Foundation
import MultiIdentity

extension CataloguedBoundary {
    /// Channels, reads and writes without one, and the data they pass on.
    static let channels = calls + cleanups + descriptors + deallocators

    private static let calls: [CataloguedBoundary] = [
        channel("channel.read, of a stream", over: .readingEnd) { $0.read($1) }.crossedAlone(because: aPipeEach),
        channel("channel.write, of a stream", over: .writingEnd) { $0.write($1) }.crossedAlone(because: aPipeEach),
        channel("channel.read, at random", over: .file) { $0.read($1) },
        channel("channel.write, at random", over: .file) { $0.write($1) },
        channel("channel.barrier", over: .file, on: .elsewhere) { $0.barrier($1) }.taking(
            #"DispatchIO\.(read|write|barrier)\((offset|execute).*"#
        ),
        channel("channel.barrier, after a write", over: .writingEnd, on: .elsewhere, .variant) { channel, crossing in
            withIdentity(nil) {
                channel.write(offset: 0, data: .one, queue: crossing.queue) { _, _, _ in }
            }
            channel.barrier(crossing)
        },
        channel("channel.read, on main", over: .readingEnd, on: .elsewhere, .variant) { $0.read($1, on: .main) },
        channel("channel.read, of what cannot be read", over: .nothing, .variant) { $0.read($1) },
    ]

    private static let descriptors: [CataloguedBoundary] = [
        descriptor("DispatchIO.read(fromFileDescriptor:)") { pipe, queue, done in
            let handler: @Sendable (DispatchData, Int32) -> Void = { _, _ in done() }
            DispatchIO.read(fromFileDescriptor: pipe.reading, maxLength: 1, runningHandlerOn: queue, handler: handler)
        }.crossedAlone(because: aPipeEach).taking(#"DispatchIO\.(read|write)\((fromFile|toFile).*"#),
        descriptor("DispatchIO.write(toFileDescriptor:)") { pipe, queue, done in
            let handler: @Sendable (DispatchData?, Int32) -> Void = { _, _ in done() }
            DispatchIO.write(toFileDescriptor: pipe.writing, data: .one, runningHandlerOn: queue, handler: handler)
        }.crossedAlone(because: aPipeEach),
    ]

    private static let cleanups: [CataloguedBoundary] = [
        cleanup("DispatchIO, cleanup handler") { crossing, work in
            crossing.file().map { file in
                crossing.open(.random, file) { _ in
                    close(file)
                    work()
                }
            }
        }.crossedAlone(because: "a file of its own for each crossing").taking(#"DispatchIO\.init\(.*"#),
        cleanup("DispatchIO, cleanup handler of a path's", .variant) { crossing, work in
            let (path, queue) = ("/dev/null", crossing.queue)
            return crossing.carries
                ? .propagatingIdentity(type: .random, path: path, oflag: O_RDONLY, mode: 0, queue: queue) { _ in work()
                }
                : DispatchIO(type: .random, path: path, oflag: O_RDONLY, mode: 0, queue: queue) { _ in work() }
        },
        cleanup("DispatchIO, cleanup handler of a channel's", .variant) { crossing, work in
            crossing.pipe().map { pipe in
                let first = crossing.channel(.stream, of: pipe.reading) { pipe.close() }
                let channel: DispatchIO =
                    crossing.carries
                    ? .propagatingIdentity(type: .stream, io: first, queue: crossing.queue) { _ in work() }
                    : DispatchIO(type: .stream, io: first, queue: crossing.queue) { _ in work() }
                let held = Held(first)
                withIdentity(nil) { channel.barrier { held.value.close() } }
                return channel
            }
        } end: { channel in
            // After it has opened, like the first one: no channel can be made from a closed one.
            let held = Held(channel)
            channel.barrier { held.value.close() }
        },
        cleanup("DispatchIO, cleanup handler of one that was let go", .variant) { crossing, work in
            crossing.pipe().map { pipe in
                crossing.open(.stream, pipe.reading) { _ in
                    pipe.close()
                    work()
                }
            }
        } end: { _ in
        },
    ]

    private static let deallocators: [CataloguedBoundary] = [
        deallocator("DispatchData, deallocator", on: .queue) { $0.queue },
        deallocator("DispatchData, deallocator without a queue", on: .elsewhere, .variant) { _ in nil },
        deallocator("DispatchData, deallocator on main", on: .elsewhere, .variant) { _ in .main },
    ]

    // MARK: Kinds

    /// The descriptor that a channel is opened over.
    private enum Ground: Sendable {
        case readingEnd, writingEnd, file, nothing
    }

    /// A call on a channel, which is closed afterwards.
    private static func channel(
        _ name: String,
        over ground: Ground,
        on worker: Worker = .queue,
        _ traits: Traits = [],
        _ call: @escaping @Sendable (DispatchIO, any BoundaryCrossing) -> Void
    ) -> CataloguedBoundary {
        let spelling = "channel.propagatingIdentity"
        return CataloguedBoundary(name, .channels, captured: .called, on: worker, as: spelling, traits) { crossing in
            if let channel = crossing.shared.channel { return crossing.at(.called) { call(channel, crossing) } }
            guard let channel = open(ground, crossing) else { return }
            crossing.at(.called) { call(channel, crossing) }
            channel.close()
        }
    }

    private static func open(_ ground: Ground, _ crossing: any BoundaryCrossing) -> DispatchIO? {
        switch ground {
        case .nothing: return crossing.channel(.stream, of: -1) {}
        case .file: return crossing.file().map { file in crossing.channel(.random, of: file) { close(file) } }
        case .readingEnd, .writingEnd:
            let isReading = ground == .readingEnd
            return crossing.pipe(isFilled: isReading).map { pipe in
                crossing.channel(.stream, of: isReading ? pipe.reading : pipe.writing) { pipe.close() }
            }
        }
    }

    /// A call on a separate pipe, with a handler that is wrapped if it carries.
    private static func descriptor(
        _ name: String,
        _ call: @escaping @Sendable (PipeEnds, DispatchQueue, @escaping @Sendable () -> Void) -> Void
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .channels, captured: .called, on: .queue, as: wrapping) { crossing in
            guard let pipe = crossing.pipe(isFilled: true) else { return }
            crossing.afterwards { pipe.close() }
            crossing.at(.called) { call(pipe, crossing.queue, crossing.wrappedWork) }
        }
    }

    /// A channel that is created, ended and released.
    private static func cleanup(
        _ name: String,
        _ traits: Traits = [],
        _ make: @escaping @Sendable (any BoundaryCrossing, @escaping @Sendable () -> Void) -> DispatchIO?,
        end: @escaping @Sendable (DispatchIO) -> Void = { $0.close() }
    ) -> CataloguedBoundary {
        let spelling = "DispatchIO.propagatingIdentity(…)"
        return CataloguedBoundary(name, .channels, captured: .created, on: .queue, as: spelling, traits) { crossing in
            let channel = Slot(crossing.at(.created) { make(crossing, crossing.work) })
            crossing.then(.closed) {
                if let channel = channel.take(), let channel { end(channel) }
            }
        }
    }

    private static func deallocator(
        _ name: String,
        on worker: Worker,
        _ traits: Traits = [],
        queue: @escaping @Sendable (any BoundaryCrossing) -> DispatchQueue?
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .channels, captured: .created, on: worker, as: wrapping, traits) { crossing in
            let bytes = Held(UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16))
            crossing.afterwards { bytes.value.deallocate() }
            let queue = queue(crossing)
            let data = crossing.at(.created) {
                Slot(
                    DispatchData(
                        bytesNoCopy: UnsafeRawBufferPointer(bytes.value),
                        deallocator: .custom(queue, crossing.wrappedWork)
                    )
                )
            }
            crossing.then(.released) { _ = data.take() }
        }
    }
}

extension DispatchIO {
    fileprivate func read(_ crossing: any BoundaryCrossing, on queue: DispatchQueue? = nil) {
        let (queue, handler) = (queue ?? crossing.queue, crossing.ioHandler)
        crossing.carries
            ? propagatingIdentity.read(offset: 0, length: 1, queue: queue, ioHandler: handler)
            : read(offset: 0, length: 1, queue: queue, ioHandler: handler)
    }

    fileprivate func write(_ crossing: any BoundaryCrossing) {
        let (queue, handler) = (crossing.queue, crossing.ioHandler)
        crossing.carries
            ? propagatingIdentity.write(offset: 0, data: .one, queue: queue, ioHandler: handler)
            : write(offset: 0, data: .one, queue: queue, ioHandler: handler)
    }

    fileprivate func barrier(_ crossing: any BoundaryCrossing) {
        crossing.carries
            ? propagatingIdentity.barrier(execute: crossing.work)
            : barrier(execute: crossing.work)
    }
}

extension BoundaryCrossing {
    fileprivate var ioHandler: @Sendable (Bool, DispatchData?, Int32) -> Void {
        let work = work
        return { isDone, _, _ in if isDone { work() } }
    }

    fileprivate func open(
        _ type: DispatchIO.StreamType,
        _ descriptor: Int32,
        _ handler: @escaping @Sendable (Int32) -> Void
    ) -> DispatchIO {
        carries
            ? .propagatingIdentity(type: type, fileDescriptor: descriptor, queue: queue, cleanupHandler: handler)
            : DispatchIO(type: type, fileDescriptor: descriptor, queue: queue, cleanupHandler: handler)
    }
}

extension DispatchData {
    fileprivate static var one: DispatchData { [1].withUnsafeBytes { DispatchData(bytes: $0) } }
}
