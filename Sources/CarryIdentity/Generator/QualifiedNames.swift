/// Types by the module that declares them: the target can have types of the same names.
enum QualifiedNames {
    private static let modules: [String: String] = [
        "Swift": ["Error", "Int", "Int32", "Never", "Result", "StaticString", "UInt", "Void"],
        "MultiIdentity": ["IdentityQueue", "ShadowMark", "ShadowedWork"],
        "_Concurrency": ["Actor", "AsyncStream", "AsyncThrowingStream", "Task", "TaskExecutor", "TaskPriority"],
        "Dispatch": [
            "DispatchData", "DispatchGroup", "DispatchIO", "DispatchQoS", "DispatchQueue", "DispatchSourceHandler",
            "DispatchSourceProtocol", "DispatchTime", "DispatchWallTime", "DispatchWorkItem", "DispatchWorkItemFlags",
        ],
        "Foundation": [
            "Data", "Date", "FileHandle", "NSNotification", "NSObjectProtocol", "Notification", "NotificationCenter",
            "Operation", "OperationQueue", "Process", "Progress", "RunLoop", "Thread", "TimeInterval", "Timer", "URL",
        ],
        "FoundationNetworking": [
            "URLRequest", "URLResponse", "URLSession", "URLSessionDataTask", "URLSessionDownloadTask", "URLSessionTask",
            "URLSessionUploadTask",
        ],
        "NIOCore": [
            "EventLoop", "EventLoopFuture", "EventLoopPromise", "NIODeadline", "NIOIsolatedEventLoop", "RepeatedTask",
            "Scheduled", "TimeAmount",
        ],
        "NIOIdentity": ["IdentityFuture"],
        "NIOPosix": ["NIOThreadPool"],
    ].reduce(into: [:]) { modules, entry in
        for type in entry.value { modules[type] = entry.key }
    }

    /// Returns code in which each of these types is written with its module.
    static func qualifying(_ code: String) -> String {
        var (qualified, word, before) = ("", "", Character(" "))
        for character in code + "\n" {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            // A member's name, or an argument's label, is no type.
            let isType = before != "." && character != ":"
            if isType, let module = modules[word] {
                qualified += "\(module)."
            }
            qualified += word
            qualified.append(character)
            (word, before) = ("", character)
        }
        return String(qualified.dropLast())
    }
}
