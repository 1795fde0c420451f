extension ShadowedModule {
    static let networking = ShadowedModule(
        name: "FoundationNetworking",
        product: "MultiIdentityNetworking",
        shadows: [
            task("data", "with request: URLRequest", "with: request", data),
            task("data", "with url: URL", "with: url", data),
            task("upload", "with request: URLRequest, fromFile fileURL: URL", "with: request, fromFile: fileURL", data),
            task("upload", "with request: URLRequest, from bodyData: Data?", "with: request, from: bodyData", data),
            task("download", "with request: URLRequest", "with: request", file),
            task("download", "with url: URL", "with: url", file),
            task("download", "withResumeData resumeData: Data", "withResumeData: resumeData", file),
            call(
                "reset(completionHandler: @escaping @Sendable () -> Void)",
                "reset(completionHandler: completionHandler)"
            ),
            call(
                "flush(completionHandler: @escaping @Sendable () -> Void)",
                "flush(completionHandler: completionHandler)"
            ),
            call(
                "getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void)",
                "getAllTasks(completionHandler: completionHandler)"
            ),
            call(
                """
                getTasksWithCompletionHandler(_ completionHandler: @escaping @Sendable ([URLSessionDataTask], \
                [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void)
                """,
                "getTasksWithCompletionHandler(completionHandler)"
            ),
        ]
    )

    private static let data = "(Data?, URLResponse?, (any Error)?) -> Void"
    private static let file = "(URL?, URLResponse?, (any Error)?) -> Void"

    private static func task(_ kind: String, _ parameters: String, _ arguments: String, _ completion: String) -> Shadow
    {
        Shadow(
            "URLSession",
            """
            func \(kind)Task(\(parameters), completionHandler: @escaping @Sendable \(completion)) \
            -> URLSession\(kind.capitalizedFirst)Task
            """,
            instead: "`session.propagatingIdentity.\(kind)Task`",
            "propagatingIdentity.\(kind)Task(\(arguments), completionHandler: completionHandler)"
        )
    }

    private static func call(_ declaration: String, _ call: String) -> Shadow {
        Shadow(
            "URLSession",
            "func \(declaration)",
            instead: "`session.propagatingIdentity.\(call.prefix { $0 != "(" })`",
            "propagatingIdentity.\(call)"
        )
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
