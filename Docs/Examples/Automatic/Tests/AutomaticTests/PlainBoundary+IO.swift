import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityTesting

extension PlainBoundary {
    /// Handlers of dispatch I/O and of its data.
    static let inputAndOutput: [PlainBoundary] = [
        PlainBoundary("io read without a channel", on: .queue) { queue, work in
            let pipe = Carried(Pipe())
            pipe.value.fileHandleForWriting.write(Data([1]))
            let descriptor = pipe.value.fileHandleForReading.fileDescriptor
            DispatchIO.read(fromFileDescriptor: descriptor, maxLength: 1, runningHandlerOn: queue) { _, _ in
                withExtendedLifetime(pipe) {}
                work()
            }
        },
        PlainBoundary("io write without a channel", on: .queue) { queue, work in
            let pipe = Carried(Pipe())
            let byte = [UInt8(1)].withUnsafeBytes { DispatchData(bytes: $0) }
            let descriptor = pipe.value.fileHandleForWriting.fileDescriptor
            DispatchIO.write(toFileDescriptor: descriptor, data: byte, runningHandlerOn: queue) { _, _ in
                withExtendedLifetime(pipe) {}
                work()
            }
        },
        PlainBoundary("io read", on: .queue) { queue, work in
            let (pipe, channel) = reading(queue)
            pipe.value.fileHandleForWriting.write(Data([1]))
            channel.value.read(offset: 0, length: 1, queue: queue) { isDone, _, _ in if isDone { work() } }
            channel.value.close()
        },
        PlainBoundary("io write", on: .queue) { queue, work in
            let pipe = Carried(Pipe())
            let descriptor = pipe.value.fileHandleForWriting.fileDescriptor
            let channel = withIdentity(nil) {
                DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
                    withExtendedLifetime(pipe) {}
                }
            }
            let byte = [UInt8(1)].withUnsafeBytes { DispatchData(bytes: $0) }
            channel.write(offset: 0, data: byte, queue: queue) { isDone, _, _ in if isDone { work() } }
            channel.close()
        },
        PlainBoundary("io barrier", on: .elsewhere) { queue, work in
            let (_, channel) = reading(queue)
            channel.value.barrier(execute: work)
            channel.value.close()
        },
        PlainBoundary("io cleanup", on: .queue, captured: .created) { queue, work in
            let pipe = Carried(Pipe())
            let descriptor = pipe.value.fileHandleForReading.fileDescriptor
            let channel = Carried(
                DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
                    withExtendedLifetime(pipe) {}
                    work()
                }
            )
            return { channel.value.close() }
        },
        PlainBoundary("readable file handle", on: .elsewhere, captured: .registered) { _, work in
            let pipe = Carried(Pipe())
            pipe.value.fileHandleForReading.readabilityHandler = { handle in
                handle.readabilityHandler = nil
                work()
                withExtendedLifetime(pipe) {}
            }
            return { pipe.value.fileHandleForWriting.write(Data([1])) }
        },
        PlainBoundary("data deallocator", on: .queue, captured: .created) { queue, work in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
            let address = UInt(bitPattern: bytes.baseAddress)
            let deallocator = DispatchData.Deallocator.custom(queue) {
                UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
                work()
            }
            let data = Carried(
                OnlyReference(DispatchData(bytesNoCopy: UnsafeRawBufferPointer(bytes), deallocator: deallocator))
            )
            return { data.value.data = nil }
        },
    ]

    /// A channel that reads what is written to a pipe, which lives as long.
    private static func reading(_ queue: DispatchQueue) -> (pipe: Carried<Pipe>, channel: Carried<DispatchIO>) {
        let pipe = Carried(Pipe())
        let descriptor = pipe.value.fileHandleForReading.fileDescriptor
        let channel = withIdentity(nil) {
            DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in withExtendedLifetime(pipe) {} }
        }
        return (pipe, Carried(channel))
    }
}

/// Data that one thread after the other has.
private final class OnlyReference {
    var data: DispatchData?

    init(_ data: DispatchData) { self.data = data }
}
