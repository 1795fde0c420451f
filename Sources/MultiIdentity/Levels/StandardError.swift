import CMultiIdentity

/// Standard error, for findings without another destination.
package enum StandardError {
    package static func print(_ line: String) {
        // One write per line, so that lines of several threads do not mix.
        var line = line + "\n"
        line.withUTF8 { mi_write_error($0.baseAddress, $0.count) }
    }
}
