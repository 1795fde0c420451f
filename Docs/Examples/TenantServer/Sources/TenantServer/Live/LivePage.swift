import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// A page for operators: which work runs as whom, live.
///
/// The page itself holds nothing that anybody may not see. What it shows it asks for with the operator's token.
struct LivePage: Sendable {
    private let watchers = LiveWatchers()

    func add(to router: Router<TenantContext>, operators: RouterGroup<TenantContext>) {
        router.get("live", use: page)
        operators.get("live/events", use: events)
    }

    private func page(_ request: Request, _ context: TenantContext) -> Response {
        let nonce =
            String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
        let html = String(decoding: PackageResources.live_html, as: UTF8.self).replacing("{{nonce}}", with: nonce)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .cacheControl: "no-store",
                .contentSecurityPolicy: """
                default-src 'none'; connect-src 'self'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; \
                base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """,
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    private func events(_ request: Request, _ context: TenantContext) -> Response {
        .events { [watchers] writer in
            try await watchers.watching {
                while !Task.isShuttingDownGracefully {
                    try await writer.write(.event(LiveView.now()))
                    try await Task.sleep(for: .milliseconds(250))
                }
            }
        }
    }
}
