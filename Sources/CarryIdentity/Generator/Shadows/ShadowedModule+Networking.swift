extension ShadowedModule {
    static let networking = ShadowedModule(
        name: "FoundationNetworking",
        product: "MultiIdentityNetworking",
        shadows: Shadow.carrying(tasks + calls, of: "URLSession", as: "session")
    )

    private static let data = "completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void"
    private static let file = "completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void"
    private static let tasks = [
        "func dataTask(with request: URLRequest, \(data)) -> URLSessionDataTask",
        "func dataTask(with url: URL, \(data)) -> URLSessionDataTask",
        "func uploadTask(with request: URLRequest, fromFile fileURL: URL, \(data)) -> URLSessionUploadTask",
        "func uploadTask(with request: URLRequest, from bodyData: Data?, \(data)) -> URLSessionUploadTask",
        "func downloadTask(with request: URLRequest, \(file)) -> URLSessionDownloadTask",
        "func downloadTask(with url: URL, \(file)) -> URLSessionDownloadTask",
        "func downloadTask(withResumeData resumeData: Data, \(file)) -> URLSessionDownloadTask",
    ]

    private static let calls = [
        "func reset(completionHandler: @escaping @Sendable () -> Void)",
        "func flush(completionHandler: @escaping @Sendable () -> Void)",
        "func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void)",
        """
        func getTasksWithCompletionHandler(_ completionHandler: @escaping @Sendable ([URLSessionDataTask], \
        [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void)
        """,
    ]
}
