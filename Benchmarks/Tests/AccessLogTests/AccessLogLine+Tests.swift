import AccessLog

extension AccessLogLine {
    var entry: AccessLogEntry? {
        if case .entry(let entry) = self { entry } else { nil }
    }

    var reason: MalformedLine.Reason? {
        if case .malformed(let line) = self { line.reason } else { nil }
    }
}
