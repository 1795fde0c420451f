import Foundation
import MultiIdentity

@_spi(Settings) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// The first byte says what the rest is, with its parts separated by 0xFF.
///
/// 0: an app configuration, and 1: a settings file; the values are Foundation's, and equal when written again; a refusal
/// shows no value. 2: an environment variable, with the same value in a file. 3: a report, and 4: secrets and the texts of
/// a report; it is equal when written and read again, is one line per row as text, and contains no secret. 5: secrets and a text,
/// which contains none of them afterwards, whether whole, as messages and JSON write it, or cut.
enum Management {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let kind = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        switch kind {
        case 0: configuration(rest)
        case 1: settings(rest)
        case 2: variable(String(decoding: rest, as: UTF8.self))
        case 3: report(rest)
        case 4: return Scrubbed.report(of: texts(rest))
        case 5: return Scrubbed.check(texts(rest))
        default: return false
        }
        return true
    }

    private static func texts(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func configuration(_ text: [UInt8]) {
        do throws(ManagementError) {
            let configuration = try AppConfiguration(json: text)
            let parts = configuration.parts.map { part -> JSONValue in
                let values = part.values.mapValues(value)
                return [
                    "audience": .text(part.audience.rawValue), "name": .text(part.name), "values": .object(values),
                ]
            }
            let whole: JSONValue = ["version": 1, "parts": .list(parts)]
            guard let written = try? JSONEncoder().encode(whole) else { fatalError("cannot write \(whole)") }
            // Of a whole number beyond 53 bits, Foundation keeps a Double's value.
            let isExact = parts.allSatisfy { !hasLargeNumber($0) }
            let again = try? AppConfiguration(json: written)
            require(!isExact || again == configuration, "\(whole) became another configuration")
            // Foundation cannot represent some small numbers.
            guard (try? SecondReading.value(JSONReader(text))) != nil else { return }
            guard case .list(let given)? = SecondReading.value(text)?.object?["parts"] else {
                fatalError("Foundation reads no parts")
            }
            let named = given.map { (part: JSONValue) -> JSONValue in
                .object((part.object ?? [:]).merging(["name": part.object?["name"] ?? ""]) { $1 })
            }
            require(named == parts, "\(parts) are \(given) for Foundation")
            for key in configuration.keys {
                let values = configuration.values(of: key)
                require(!values.isEmpty && configuration.hasConflict(on: key) == (Set(values).count > 1), key)
                for question in AppConfiguration.Choice.allCases {
                    require(values.map(\.text).contains(configuration.string(key, question) ?? "none"), key)
                }
            }
        } catch {
            require(error.code == .malformedText, "\(error.code)")
            requireNoValue(in: error.message, of: text)
        }
    }

    private static func value(_ value: AppConfigurationValue) -> JSONValue {
        switch value {
        case .text(let text): .text(text)
        case .boolean(let boolean): .boolean(boolean)
        case .integer(let integer): .number(Double(integer))
        case .number(let number): .number(number)
        }
    }

    private static func hasLargeNumber(_ part: JSONValue) -> Bool {
        (part.object?["values"]?.object ?? [:]).values.contains { value in
            if case .number(let number) = value { abs(number) > 9e15 } else { false }
        }
    }

    private static func settings(_ text: [UInt8]) {
        do throws(ManagementError) {
            let file = try ManagementConfiguration(json: text, path: "app.json")
            if let whole = SecondReading.value(text) {
                let section = whole.object?[ManagementConfiguration.section]?.object ?? [:]
                for setting in ManagementSetting.allCases {
                    let written = file.source(of: setting) == .file ? setting.kind.text(of: file) : nil
                    let value = written.flatMap { SecondReading.value(Array($0.utf8)) }
                    require(isSame(value, section[setting.rawValue]), "\(setting) is another")
                }
            }
        } catch {
            require([.malformedText, .wrongValue].contains(error.code), "\(error.code)")
            require(error.message.hasPrefix("app.json"), error.message)
            requireNoValue(in: error.message, of: text)
        }
    }

    /// Returns whether two values are equal: a time has no more digits than a clock.
    private static func isSame(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        guard case (.number(let first)?, .number(let second)?) = (first, second) else { return first == second }
        return abs(first - second) <= max(1e-12, abs(second) * 1e-12)
    }

    /// A refusal contains no value; it may contain a key.
    private static func requireNoValue(in message: String, of text: [UInt8]) {
        let secret = "hunter22"
        guard message.contains(secret) else { return }
        func hasKey(_ value: JSONValue?) -> Bool {
            switch value {
            case .object(let members)?:
                members.contains { $0.key.contains(secret) || hasKey($0.value) }
            case .list(let elements)?: elements.contains { hasKey($0) }
            default: false
            }
        }
        require(hasKey(SecondReading.value(text)), "a value is shown: \(message)")
    }

    private static func variable(_ text: String) {
        for setting in ManagementSetting.allCases {
            guard let configuration = try? ManagementConfiguration(environment: [setting.variable: text]) else {
                continue
            }
            let written = setting.kind.text(of: configuration)
            let json = "{\"\(ManagementConfiguration.section)\": {\"\(setting)\": \(written ?? "")}}"
            let file = try? ManagementConfiguration(json: json.utf8, path: "")
            require(file.map(setting.kind.text) == written, "\(setting) is another in a file: \(json)")
        }
    }

    private static func report(_ text: [UInt8]) {
        do throws(ManagementError) {
            let report = try ManagementReport(json: text)
            Scrubbed.requireWhole(report)
            let sections = report.sections.map { section -> JSONValue in
                let rows = section.rows.map { ["name": .text($0.name), "value": .text($0.value)] as JSONValue }
                return ["title": .text(section.title), "rows": .list(rows)]
            }
            let second = SecondReading.value(text)
            require(second == ["version": 1, "sections": .list(sections)], "for Foundation it is another report")
        } catch {
            require(error.code == .malformed, "\(error.code)")
            require(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(error)")
        }
    }
}
