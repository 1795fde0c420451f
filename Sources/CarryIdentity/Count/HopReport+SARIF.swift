import Foundation

extension HopReport {
    /// The hops in SARIF 2.1.0, which code scanning reads.
    var sarif: [String: Any] {
        let boundaries = Set(hops.map(\.boundary)).sorted()
        let rules = boundaries.map { boundary -> [String: Any] in
            ["id": boundary, "shortDescription": ["text": "A plain \(boundary) carries no identity by itself."]]
        }
        let results = hops.map { hop -> [String: Any] in
            let path = hop.file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? hop.file
            let place: [String: Any] = [
                "artifactLocation": ["uri": path, "uriBaseId": "%SRCROOT%"],
                "region": ["startLine": hop.line, "startColumn": hop.column],
            ]
            return [
                "ruleId": hop.boundary,
                "ruleIndex": boundaries.firstIndex(of: hop.boundary) ?? 0,
                "level": "warning",
                "message": ["text": "This hop carries no identity by itself: write \(hop.instead)."],
                "locations": [["physicalLocation": place]],
            ]
        }
        let run: [String: Any] = ["tool": ["driver": ["name": "plain-hops", "rules": rules]], "results": results]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }
}
