/// The source of data: a file, or the standard input (`-`).
enum DataSource: Equatable {
    case standardInput
    case file(String)

    init(_ argument: String) { self = argument == "-" ? .standardInput : .file(argument) }

    /// As reports call it.
    var name: String {
        switch self {
        case .standardInput: "(standard input)"
        case .file(let name): name
        }
    }
}
