/// A fault in a schedule, or in what an exploration was asked for.
package struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, for code to match on.
    package let code: Code
    /// The fault, for people: where, with which value, and what to do.
    package let message: String

    /// A kind of fault.
    package struct Code: Hashable, Sendable {
        private enum Value: Hashable, Sendable {
            case malformedStep, unknownIdentity, unknownBoundary, impossibleStep, badSetting
        }

        private let value: Value

        /// A step of the text cannot be read.
        package static let malformedStep = Code(value: .malformedStep)
        /// A step names an identity by a number that the exploration does not have.
        package static let unknownIdentity = Code(value: .unknownIdentity)
        /// A step names a boundary that the exploration does not have.
        package static let unknownBoundary = Code(value: .unknownBoundary)
        /// A step cannot be taken where it stands, such as leaving a scope where none is open.
        package static let impossibleStep = Code(value: .impossibleStep)
        /// A number or a list that the exploration was given makes no sense.
        package static let badSetting = Code(value: .badSetting)
    }

    init(_ code: Code, _ message: String) {
        self.code = code
        // It quotes what was given, and may end on a terminal.
        self.message = message.unicodeScalars.map { scalar in
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
            return isControl ? scalar.escaped(asASCII: true) : "\(scalar)"
        }.joined()
    }

    /// The message.
    package var description: String { message }

    static func malformed(_ fault: String, _ expected: String) -> ScheduleError {
        ScheduleError(.malformedStep, "\(fault); expected: \(expected).")
    }

    /// The same, with the place.
    func at(step number: Int, _ text: some CustomStringConvertible) -> ScheduleError {
        ScheduleError(code, "Step \(number), \"\(text)\", \(message)")
    }
}
