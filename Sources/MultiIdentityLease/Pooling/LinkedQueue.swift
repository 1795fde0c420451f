/// A queue from which an element can be removed wherever it is, in constant time.
struct LinkedQueue<Element> {
    fileprivate struct Node {
        var element: Element?
        var before = 0
        var after = 0
    }

    /// The first node is no element's: after it comes the first one, before it the last one.
    private var nodes = [Node()]
    private var free: [Int] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: Element? { nodes[nodes[0].after].element }

    var elements: [Element] {
        sequence(first: nodes[0].after) { nodes[$0].after }.lazy.map { nodes[$0].element }.prefix { $0 != nil }
            .compactMap(\.self)
    }

    /// Appends an element, before those at the end that it has to precede.
    ///
    /// - Returns: The element's place, which is not 0, until it is removed.
    mutating func append(_ element: Element, before precedes: (Element) -> Bool = { _ in false }) -> Int {
        var before = nodes[0].before
        while let other = nodes[before].element, precedes(other) { before = nodes[before].before }
        let node = Node(element: element, before: before, after: nodes[before].after)
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        nodes[node.after].before = place
        nodes[before].after = place
        count += 1
        return place
    }

    mutating func remove(at place: Int) {
        let node = nodes[place]
        nodes[node.before].after = node.after
        nodes[node.after].before = node.before
        nodes[place] = Node()
        free.append(place)
        count -= 1
        // The memory of a crowd goes with it.
        if count == 0, nodes.count > 64 { self = LinkedQueue() }
    }
}

extension LinkedQueue: Sendable where Element: Sendable {}
extension LinkedQueue.Node: Sendable where Element: Sendable {}
