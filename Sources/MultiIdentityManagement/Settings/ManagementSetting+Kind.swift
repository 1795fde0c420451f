import MultiIdentity
public import MultiIdentityPolicy

extension ManagementSetting {
    /// The property of a setting.
    @_spi(Settings) public typealias Property<Value> = any WritableKeyPath<ManagementConfiguration, Value> & Sendable

    /// A property with its valid values.
    @_spi(Settings) public enum Kind: Sendable {
        /// One of the modes, by its name.
        case mode(Property<AccountsMode>)
        /// True or false.
        case boolean(Property<Bool>)
        /// A whole number.
        case integer(Property<Int>, ClosedRange<Int>)
        /// A number.
        case number(Property<Double>, ClosedRange<Double>)
        /// A time as a number of seconds.
        case seconds(Property<Duration>)
        /// A time as a number of units; 0 means none.
        case limit(Property<Duration?>, Duration, upTo: Double)
        /// A text of one line.
        case text(Property<String?>)
        /// A list of texts.
        case texts(Property<[String]>)

        static func days(_ property: Property<Duration?>) -> Self { .limit(property, .seconds(86_400), upTo: 3_650) }
    }

    /// Returns whether a text is one valid line.
    static func isLine(_ text: String) -> Bool {
        1...4096 ~= text.utf8.count && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    static func quoted(_ text: String) -> String { String(decoding: JSONText.quoted(text), as: UTF8.self) }
}

extension ManagementSetting.Kind {
    private static let secondsRange = 0.001...86_400

    /// The valid values in words, for messages.
    @_spi(Settings) public var words: String {
        switch self {
        case .mode: "one of \(AccountsMode.allCases.map { EscapedText("\($0)").quoted }.joined(separator: ", "))"
        case .boolean: "true or false"
        case .integer(_, let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(_, let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .seconds: "a number from \(Self.secondsRange.lowerBound) to \(Self.secondsRange.upperBound)"
        case .limit(_, _, let most): "a number from 0.0 to \(most)"
        case .text: "one line of text, of 1 to 4096 bytes"
        case .texts: "a list of texts, none of them empty"
        }
    }

    /// Indicates whether an environment variable contains the plain value, not JSON.
    var isText: Bool {
        switch self {
        case .mode, .text: true
        default: false
        }
    }

    /// Returns the value in a configuration, as written in a file; `nil` if there is none.
    func text(of configuration: ManagementConfiguration) -> String? {
        switch self {
        case .mode(let property): ManagementSetting.quoted("\(configuration[keyPath: property])")
        case .boolean(let property): "\(configuration[keyPath: property])"
        case .integer(let property, _): "\(configuration[keyPath: property])"
        case .number(let property, _): Self.text(configuration[keyPath: property])
        case .seconds(let property): Self.text(configuration[keyPath: property] / .seconds(1))
        case .limit(let property, let unit, _): Self.text((configuration[keyPath: property] ?? .zero) / unit)
        case .text(let property): configuration[keyPath: property].map(ManagementSetting.quoted)
        case .texts(let property):
            "[\(configuration[keyPath: property].map(ManagementSetting.quoted).joined(separator: ", "))]"
        }
    }

    private static func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    /// Sets the value in a configuration from JSON; an error does not quote it.
    func read(_ json: JSONReader, into configuration: inout ManagementConfiguration) throws(PolicyTextError) {
        switch self {
        case .mode(let property):
            let word = json.value.kind == .string ? try json.string() : ""
            guard let mode = AccountsMode.allCases.first(where: { "\($0)" == word }) else {
                throw json.wrongType(words)
            }
            configuration[keyPath: property] = mode
        case .boolean(let property): configuration[keyPath: property] = try json.bool()
        case .integer(let property, let range): configuration[keyPath: property] = try number(json, range)
        case .number(let property, let range): configuration[keyPath: property] = try number(json, range)
        case .seconds(let property):
            configuration[keyPath: property] = .seconds(try number(json, Self.secondsRange) as Double)
        case .limit(let property, let unit, let most):
            let count = try number(json, 0...most)
            configuration[keyPath: property] = count == 0 ? nil : unit * count
        case .text(let property):
            guard json.value.kind == .string, ManagementSetting.isLine(try json.string()) else {
                throw json.wrongType(words)
            }
            configuration[keyPath: property] = try json.string()
        case .texts(let property):
            guard json.value.kind == .array else { throw json.wrongType(words) }
            var texts: [String] = []
            try json.elements { (element) throws(PolicyTextError) in texts.append(try element.string()) }
            if texts.contains("") { throw json.wrongType(words) }
            configuration[keyPath: property] = texts
        }
    }

    private func number<Number: LosslessStringConvertible & Comparable>(
        _ json: JSONReader,
        _ range: ClosedRange<Number>
    ) throws(PolicyTextError) -> Number {
        guard json.value.kind == .number, let number = Number(try json.value.number()), range.contains(number) else {
            throw json.wrongType(words)
        }
        return number
    }
}
