import Foundation

/// The parameters of a request for users, from its URL or from a body.
struct UserQuery: Sendable {
    let filter: UserFilter?
    /// The number of users that are passed over.
    let start: Int
    let count: Int
    let projection: Projection

    /// Reads the parameters of a URL.
    init(_ query: String?) throws(SCIMError) {
        var values: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Some write a space so, as forms do.
            let texts = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = texts[0], parts.count == 2, let value = texts[1] else { continue }
            values[name.lowercased()] = value
        }
        func names(_ name: String) -> [String] {
            (values[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        }
        try self.init(
            filter: values["filter"],
            startIndex: values["startindex"].map { Int($0) },
            count: values["count"].map { Int($0) },
            attributes: names("attributes"),
            excluded: names("excludedattributes")
        )
    }

    /// Reads the body of a search (RFC 7644, 3.4.3).
    init(search: AttributeValue) throws(SCIMError) {
        guard let members = search.members else { throw SCIMError(.invalidSyntax, "The body is no object.") }
        func number(_ name: String) -> Int?? {
            guard let value = members[name], value != .null else { return .none }
            guard case .number(let number) = value else { return .some(nil) }
            return .some(Int(exactly: number))
        }
        func names(_ name: String) -> [String] {
            if case .list(let values) = members[name] { values.compactMap(\.text) } else { [] }
        }
        if let filter = members["filter"], filter != .null, filter.text == nil {
            throw SCIMError(.invalidFilter, "The filter is no text.")
        }
        try self.init(
            filter: members["filter"]?.text,
            startIndex: number("startindex"),
            count: number("count"),
            attributes: names("attributes"),
            excluded: names("excludedattributes")
        )
    }

    private init(filter: String?, startIndex: Int??, count: Int??, attributes: [String], excluded: [String])
        throws(SCIMError)
    {
        if case .some(nil) = startIndex { throw SCIMError(.invalidValue, "startIndex is no number.") }
        if case .some(nil) = count { throw SCIMError(.invalidValue, "count is no number.") }
        self.filter = if let filter { try UserFilter(filter) } else { nil }
        start = max((startIndex ?? 1) ?? 1, 1) - 1
        self.count = min(max((count ?? Discovery.pageLimit) ?? 0, 0), Discovery.pageLimit)
        projection = Projection(only: attributes, without: excluded)
    }
}

/// The attributes that an answer is to have.
struct Projection: Sendable {
    private let only: [AttributePath]?
    private let without: [AttributePath]

    /// - Parameters:
    ///   - only: The names of those that are asked for; with none, all are. Those that are not kept are passed over.
    ///   - without: The names of those that are not wanted.
    init(only: [String], without: [String]) {
        self.only = only.isEmpty ? nil : only.compactMap(AttributePath.named)
        self.without = without.compactMap(AttributePath.named)
    }

    func applied(to values: [String: AttributeValue]) -> [String: AttributeValue] {
        values.compactMapValues { $0 }.reduce(into: [:]) { kept, pair in
            let (name, value) = pair
            let members = only?.filter { $0.attribute.name == name }
            if let members, members.isEmpty { return }
            let excluded = without.filter { $0.attribute.name == name }
            if excluded.contains(where: { $0.member == nil }) { return }
            let names = members?.allSatisfy { $0.member != nil } == true ? members?.compactMap(\.member?.name) : nil
            kept[name] = Self.members(value, only: names, without: excluded.compactMap(\.member?.name))
        }
    }

    private static func members(_ value: AttributeValue, only: [String]?, without: [String]) -> AttributeValue {
        switch value {
        case .list(let values): .list(values.map { members($0, only: only, without: without) })
        case .object(let object):
            .object(object.filter { (only?.contains($0.key) ?? true) && !without.contains($0.key) })
        default: value
        }
    }
}
