"""Stops a server while it answers: what it began it has to finish."""

import http.client
import signal
import socket
import subprocess
import threading

EVENTS = 100


def listen(server, token, started, results):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("GET", f"/events?count={EVENTS}", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        text = answer.read(6)  # the first event is under way
        started.release()
        text += answer.read()
        results.append(text.count(b"data: "))
    except (OSError, http.client.HTTPException) as error:
        started.release()
        results.append(repr(error))


def shortcomings(server, token, count=20):
    """Each answer that was under way when the server was asked to stop, and did not come whole."""
    started, results = threading.Semaphore(0), []
    threads = [threading.Thread(target=listen, args=(server, token, started, results)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for _ in threads:
        started.acquire(timeout=30)
    server.stop()
    for thread in threads:
        thread.join()
    # One more than the events: what writes them says whom it saw, too.
    return [f"an answer had {result} of {EVENTS + 1} events" for result in results if result != EVENTS + 1]


def stalled(server, token, limit):
    """Whether a client that stops in the middle of an upload keeps the process beyond its limit, in seconds."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        head = f"PUT /files/half.txt HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head.encode() + b"the beginning")
        # The next request on another connection is answered, so this one has been seen.
        if not server.answers():
            return ["it does not answer"]
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(limit + 10)
        except subprocess.TimeoutExpired:
            return [f"{limit} s and 10 more after SIGTERM it still waits for what never comes"]
    return []
