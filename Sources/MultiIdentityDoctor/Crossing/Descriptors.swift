import Dispatch
import Foundation
import MultiIdentity

/// Both ends of a pipe, which its creator closes; or the reading end of one that an owner keeps open.
struct PipeEnds: Sendable {
    let reading: Int32
    let writing: Int32
    var owner: (any Sendable)?

    /// Opens a pipe that no child process inherits: one that did would keep it open.
    static func open() -> PipeEnds? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return PipeEnds(reading: ends[0], writing: ends[1])
    }

    func write() { if owner == nil { _ = Foundation.write(writing, [1], 1) } }

    func close() {
        guard owner == nil else { return }
        Foundation.close(reading)
        Foundation.close(writing)
    }
}

extension BoundaryCrossing {
    /// A pipe with a byte to read, or without.
    func pipe(isFilled: Bool = false) -> PipeEnds? {
        if let (end, owner) = shared.readable { return PipeEnds(reading: end, writing: -1, owner: owner) }
        guard let pipe = PipeEnds.open() else {
            refuse("no file descriptor was available")
            return nil
        }
        if isFilled { pipe.write() }
        return pipe
    }

    /// A file of four bytes without a name; the caller has to close it.
    func file() -> Int32? {
        guard let stream = tmpfile() else {
            refuse("no temporary file could be created")
            return nil
        }
        defer { fclose(stream) }
        let descriptor = dup(fileno(stream))
        guard descriptor >= 0, Foundation.write(descriptor, [1, 2, 3, 4], 4) == 4 else {
            refuse("no temporary file could be written")
            return nil
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// A channel without a custom cleanup handler, which closes its descriptor.
    func channel(
        _ type: DispatchIO.StreamType,
        of descriptor: Int32,
        on queue: DispatchQueue? = nil,
        closing close: @escaping @Sendable () -> Void
    ) -> DispatchIO {
        withIdentity(nil) {
            DispatchIO(type: type, fileDescriptor: descriptor, queue: queue ?? self.queue) { _ in close() }
        }
    }
}
