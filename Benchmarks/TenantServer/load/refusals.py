"""Requests that have to be refused, sent to a running server as bytes."""

import json
import re
import socket


def ask(server, request, limit=1 << 20):
    """Sends bytes, and gives the status and the body of the answer; `None` where the connection was just closed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        try:
            connection.sendall(request)
            answer = b""
            while len(answer) < limit and (part := connection.recv(65_536)):
                answer += part
        except ConnectionError:
            pass
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return (int(match[1]), answer.partition(b"\r\n\r\n")[2]) if match else (None, b"")


def get(*headers):
    return b"\r\n".join([b"GET /report HTTP/1.1", b"Host: localhost", b"Connection: close", *headers, b"", b""])


def bearer(token):
    return get(b"Authorization: Bearer " + token.encode())


def shortcomings(server, good, expired):
    """Each request that was not answered as it has to be, in words."""
    changed = good[:-2] + ("AA" if good[-2:] != "AA" else "BB")
    unsigned = "eyJhbGciOiJub25lIn0." + good.split(".")[1] + "."
    expected = [
        ("no token", get(), 401, "no_token"),
        ("an expired token", bearer(expired), 401, "expired_token"),
        ("a token with a changed signature", bearer(changed), 401, "bad_signature"),
        ("an unsigned token", bearer(unsigned), 401, "bad_algorithm"),
        ("two tokens", get(*[b"Authorization: Bearer " + good.encode()] * 2), 400, "several_tokens"),
        ("bytes that are no token", get(b"Authorization: Bearer \xff\xfe\x80"), 401, "malformed_token"),
        ("a marker with spaces", get(b"Authorization: Bearer " + good.encode(), b"X-Marker: a b"), 400, "bad_marker"),
        ("no path there is", get().replace(b"/report", b"/nothing"), 404, "http_404"),
        ("a request line that is none", b"\x00\x01\x02 garbage\r\n\r\n", 400, None),
        ("a header without a name", get(b": value"), 400, None),
        ("a header of a hundred kilobytes", get(b"X-Large: " + b"a" * 100_000), (400, 431), None),
        ("a good token", bearer(good), 200, None),
    ]
    for name, request, status, code in expected:
        got, body = ask(server, request)
        if got not in (status if isinstance(status, tuple) else (status,)):
            yield f"{name}: the status is {got}, not {status}"
        elif code is not None and (found := json.loads(body)["error"]["code"]) != code:
            yield f"{name}: the code is {found}, not {code}"
