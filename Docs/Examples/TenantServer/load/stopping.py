"""Stops a server while it answers: what it began it has to finish."""

import http.client
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
    """Each answer that was under way when the server was told to stop, and did not come whole."""
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
