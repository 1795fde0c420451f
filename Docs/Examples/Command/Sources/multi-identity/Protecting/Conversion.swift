import Foundation
import MultiIdentity
import MultiIdentityFiles

/// Reads one source through a stream, and writes what comes to one target.
struct Conversion {
    let options: ConversionOptions
    let locations: Locations
    let reporter: Reporter

    /// - Parameters:
    ///   - source: What is read; at its start.
    ///   - name: As reports call it.
    ///   - first: What was read of it already.
    ///   - target: Where to.
    ///   - owner: The owner of a new file.
    ///   - keepsOwner: A file that is replaced keeps its owner.
    ///   - stream: Makes the stream, when everything else is in order.
    /// - Returns: How many bytes were read.
    /// - Throws: Whatever keeps it from being converted; the target is as it was, then, unless it is the standard output.
    func run<Stream: ConvertingStream & ~Copyable>(
        _ source: OpenSource,
        _ name: String,
        first: [UInt8] = [],
        to target: DataTarget,
        owner: Identity?,
        keepsOwner: Bool = false,
        _ stream: () throws -> Stream
    ) throws -> UInt64 {
        switch target {
        case .standardOutput:
            if isatty(STDOUT_FILENO) != 0, !options.force {
                throw CommandFailure(
                    .usage,
                    "terminal",
                    "The standard output is a terminal, which data can harm. Give --output, or --force."
                )
            }
            return try pump(source, name, first, stream) { piece in try StandardStreams.write(piece, to: STDOUT_FILENO)
            }
        case .inPlace:
            guard let location = source.location else { return 0 }
            if !options.force { try source.checkOnlyName() }
            return try write(
                source,
                name,
                first,
                to: location,
                owner,
                keepsOwner ? .kept : .opener,
                isInPlace: true,
                stream
            )
        case .file(let path):
            let location = try locations.location(of: path)
            if !options.force, try exists(location) {
                throw CommandFailure(
                    .cannotCreate,
                    "alreadyExists",
                    "It is there already. Choose another name, or give --force to replace it.",
                    about: path
                )
            }
            return try write(source, name, first, to: location, owner, .opener, isInPlace: false, stream)
        }
    }

    private func write<Stream: ConvertingStream & ~Copyable>(
        _ source: OpenSource,
        _ name: String,
        _ first: [UInt8],
        to location: Locations.Location,
        _ owner: Identity?,
        _ ownership: ReplacementOwner,
        isInPlace: Bool,
        _ stream: () throws -> Stream
    ) throws -> UInt64 {
        var count: UInt64 = 0
        try Interruption.guarding {
            try withIdentity(owner) {
                try location.files.replace(location.path, owner: ownership) { file in
                    // What takes the place of a file keeps that file's access; another file is for its user alone.
                    if isInPlace, let facts = source.facts { try facts.apply(to: file.descriptor) }
                    count = try pump(source, name, first, stream) { piece in try file.write(piece) }
                    try source.checkUnchanged()
                    try Interruption.check()
                }
            }
        }
        return count
    }

    private func pump<Stream: ConvertingStream & ~Copyable>(
        _ source: OpenSource,
        _ name: String,
        _ first: [UInt8],
        _ stream: () throws -> Stream,
        _ write: ([UInt8]) throws -> Void
    ) throws -> UInt64 {
        let size = source.size
        return try Pump.run(
            try stream(),
            first: first,
            read: { try source.read() },
            write: write,
            progressed: { reporter.progress.tell(name, $0, of: size, .bytes) }
        )
    }

    private func exists(_ location: Locations.Location) throws -> Bool {
        do {
            _ = try location.files.owner(of: location.path)
            return true
        } catch  where error.code == .notFound {
            return false
        }
    }
}
