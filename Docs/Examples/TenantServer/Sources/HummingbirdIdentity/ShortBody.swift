import Hummingbird

/// A body of known length that is written at once, as the current identity, and sent later as the bytes that it is.
///
/// Whether a body is bytes or a closure does not show. Bytes come out as they went in, and are sent with the head in one
/// go; a closure around them would have them sent one after the other, for 2 % more instructions a request.
final class ShortBody {
    /// The longest that there is: what is longer is written as it is sent.
    static let mostBytes = 65_536

    private var buffer = ByteBuffer()
    private var trailers: HTTPFields?

    static func written(by body: ResponseBody, _ length: Int) async throws -> ResponseBody {
        let short = ShortBody()
        try await body.write(Writer(body: short))
        let (buffer, trailers) = (short.buffer, short.trailers)
        if buffer.readableBytes == length, trailers == nil { return ResponseBody(byteBuffer: buffer) }
        // The answer to HEAD tells a length and has no bytes.
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
