/* The traces of a file, a line each, for a verifier that was built with -DTRACE: an event is a letter and three numbers. Which
   are taken to their end is told when the process ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event { unsigned char kind, a, b, c; };
/* With the thread on which each piece begins. */
static struct trace { struct event *events; int length, furthest, thread[256]; } *traces;
static int traces_count;

static void traces_tell(void) {
    int accepted = 0;
    for (int i = 0; i < traces_count; i++) {
        if (traces[i].furthest == traces[i].length) accepted++;
        else printf("refused: trace %d at event %d of %d\n", i + 1, traces[i].furthest + 1, traces[i].length);
    }
    printf("accepted %d of %d\n", accepted, traces_count);
}

static void traces_open(void) {
    FILE *file = fopen(getenv("TRACES") ? getenv("TRACES") : "", "r");
    static char line[1 << 16];
    if (!file) { fprintf(stderr, "TRACES names no file.\n"); exit(2); }
    while (fgets(line, sizeof line, file)) {
        struct trace *trace;
        traces = realloc(traces, (traces_count + 1) * sizeof *traces);
        trace = &traces[traces_count++];
        trace->events = malloc((strlen(line) / 6 + 1) * sizeof *trace->events);
        trace->length = trace->furthest = 0;
        memset(trace->thread, -1, sizeof trace->thread);
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            char kind; int a, b, c;
            if (sscanf(word, "%c%d,%d,%d", &kind, &a, &b, &c) != 4) { fprintf(stderr, "No event: %s\n", word); exit(2); }
            trace->events[trace->length++] = (struct event){kind, a, b, c};
            if (kind == 'B') trace->thread[a & 255] = c;
        }
    }
    fclose(file);
    atexit(traces_tell);
}

/* What comes at a place of a trace; nothing, once all of it was taken by whatever way. */
static void traces_next(int which, int at, unsigned char *kind, unsigned char *a, unsigned char *b, unsigned char *c) {
    struct trace *trace = &traces[which];
    if (at > trace->furthest) trace->furthest = at;
    struct event next = trace->furthest == trace->length ? (struct event){0} : trace->events[at];
    *kind = next.kind; *a = next.a; *b = next.b; *c = next.c;
}
