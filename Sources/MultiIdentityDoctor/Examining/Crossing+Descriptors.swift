import Dispatch
import Foundation

/// Both ends of a pipe.
struct PipeEnds: Sendable {
    let reading: Int32
    let writing: Int32

    func write() { _ = Foundation.write(writing, [1], 1) }
}

extension Crossing {
    /// A pipe; its ends have to be closed by whoever asks for it.
    func pipe() -> PipeEnds? {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else {
            refuse("no file descriptor could be had")
            return nil
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return PipeEnds(reading: ends[0], writing: ends[1])
    }

    /// A file of four bytes without a name; it has to be closed by whoever asks for it.
    func file() -> Int32? {
        guard let stream = tmpfile() else {
            refuse("no temporary file could be made")
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

    /// Ends something that calls back when it has let go of its descriptors, then closes these, and waits for that.
    ///
    /// - Parameters:
    ///   - descriptors: What to close; not before libdispatch has let go of it, which would then touch somebody else's.
    ///   - end: Ends it; its argument is to be called when that has happened.
    func closeAfterwards(_ descriptors: [Int32], _ end: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        afterwards {
            let closed = DispatchSemaphore(value: 0)
            end {
                for descriptor in descriptors { close(descriptor) }
                closed.signal()
            }
            _ = closed.wait(timeout: .now() + .seconds(1))
        }
    }
}
