import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Server-sent events (source: the HTML standard, 9.2), written by `write` while the connection lasts.
    static func events(_ write: @escaping @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void)
        -> Response
    {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await write(&writer)
                try await writer.finish(nil)
            }
        )
    }
}

extension ByteBuffer {
    /// One event.
    ///
    /// JSON has no line break in it, so that whatever `value` holds stays in one field.
    static func event(_ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "data: ")
        buffer.writeBytes(try JSONEncoder().encode(value))
        buffer.writeString("\n\n")
        return buffer
    }
}
