#if Hummingbird
import Hummingbird

/// A body of known length that is written immediately, as the current identity, and later sent as bytes.
///
/// It is not visible whether a body is bytes or a closure. Bytes come out unchanged and are sent together with the head;
/// a closure around them would send them separately, for 2 % more instructions a request.
final class ShortBody {
    /// The longest body that is written immediately; longer ones are written while they are sent.
    static let maximumLength = 65_536

    private var buffer = ByteBuffer()
    private var trailers: HTTPFields?

    static func written(by body: ResponseBody, _ length: Int) async throws -> ResponseBody {
        let short = ShortBody()
        try await body.write(Writer(body: short))
        let (buffer, trailers) = (short.buffer, short.trailers)
        if buffer.readableBytes == length, trailers == nil { return ResponseBody(byteBuffer: buffer) }
        // The response to HEAD has a length and no bytes.
        return ResponseBody(contentLength: length) { writer in
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            try await writer.finish(trailers)
        }
    }

    private struct Writer: ResponseBodyWriter {
        let body: ShortBody

        func write(_ buffer: ByteBuffer) {
            if body.buffer.readableBytes == 0 {
                body.buffer = buffer
            } else {
                body.buffer.writeImmutableBuffer(buffer)
            }
        }

        consuming func finish(_ trailers: HTTPFields?) { body.trailers = trailers }
    }
}
#endif
