import HTTPTypes
import Hummingbird

/// A client's name for its request, by the header `X-Marker`: it comes back in the answer, and stands in each log line.
///
/// It travels as an argument, apart from any identity: a checker that puts the user into it can compare the two.
struct Marker: Sendable, Hashable {
    let text: String

    static let none = Marker(text: "-")
    static let header = HTTPField.Name("X-Marker")

    private init(text: String) { self.text = text }

    /// - Parameter text: 1 to 128 letters, digits, `@`, `.`, `_`, `-` and `+`: it gets into log lines.
    init?(_ text: String) {
        guard (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789@._-+".unicodeScalars.contains(scalar))
            })
        else { return nil }
        self.text = text
    }
}

/// Reads the marker, refuses a request with one that is none, and sends it back with the answer.
struct MarkerMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        guard let name = Marker.header, let text = request.headers[name] else {
            return try await next(request, context)
        }
        guard let marker = Marker(text) else {
            throw Refusal(
                .badRequest,
                code: "bad_marker",
                "X-Marker has 1 to 128 letters, digits, and @ . _ - + in it; this one has not."
            )
        }
        var context = context
        context.marker = marker
        do {
            var response = try await next(request, context)
            response.headers[name] = marker.text
            return response
        } catch var refusal as Refusal {
            refusal.headers[name] = marker.text
            throw refusal
        }
    }
}
