import Foundation

/// The standard error stream, for lines of text.
enum StandardError {
    static var isTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }

    static func print(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// On a terminal, shows text that the next text replaces; elsewhere, prints a line.
    static func show(_ text: String) {
        if isTerminal { FileHandle.standardError.write(Data(("\r\u{1B}[K" + text).utf8)) } else { print(text) }
    }
}
