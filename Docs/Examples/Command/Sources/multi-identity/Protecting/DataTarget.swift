/// The place that converted data go to.
enum DataTarget: Equatable {
    case standardOutput
    case file(String)
    /// The place of what was read.
    case inPlace

    /// - Parameters:
    ///   - argument: What `--output` says.
    ///   - source: Where the data come from: what comes from the standard input goes to the standard output.
    init(_ argument: String?, for source: DataSource) {
        switch argument {
        case "-": self = .standardOutput
        case let name?: self = .file(name)
        case nil: self = source == .standardInput ? .standardOutput : .inPlace
        }
    }
}
