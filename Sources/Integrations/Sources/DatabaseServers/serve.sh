# Starts a private PostgreSQL and PgBouncer, and stops both and removes all their files when its input ends, so that
# neither outlives the program that started this, however that ended. All are on sockets in one folder, and on no port.
#
# Usage: bash serve.sh     needs Debian's postgresql and pgbouncer; as root both run as the user postgres
# It prints "ready FOLDER"; then it reads commands, a line each, and prints "done" after each:
#   kill database | kill pooler        with SIGKILL, every process of it
#   start database | start pooler      again, on the same data
#   copy NAME                          a database of that name, in the initial state of "app"
#   pool session | transaction | statement     the pooler's mode, from now on
# The database is "app", with the statements of $SCHEMA; its roles "owner" (a superuser) and what these create: "app", "twin".
# URLs: postgresql://app@/app?host=FOLDER (the server), ...&port=6432 (the pooler).
set -Eeuo pipefail

folder="$(mktemp -d /tmp/identity-databases-XXXXXX)"  # short, since a socket's path may have 107 bytes
as=()
if [[ "$(id -u)" == 0 ]]; then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups --)
fi
cd "$folder"
bin="$(pg_config --bindir 2>/dev/null || true)"
[[ -x "$bin/initdb" ]] || bin="$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)"
pooler="$(command -v pgbouncer || echo /usr/sbin/pgbouncer)"
mode=transaction

# A server and its child processes, by their numbers.
processes_of() {
    local pid
    pid="$(cat "$folder/$1.pids" 2>/dev/null)" || return 0
    cat "/proc/$pid/task/$pid/children" 2>/dev/null || true
    echo "$pid"
}

# Each server leads its own process group (set -m): when the program that started this ends, the kernel continues the stopped
# processes of the program's group, which would undo the STOP of kill_all_of and make it wait for ever.
start_database() {
    local tries=0
    while true; do
        set -m
        "${as[@]}" "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= >>"$folder/database.log" 2>&1 &
        echo $! >"$folder/database.pids"
        disown  # otherwise the shell reports each killed process
        set +m
        for _ in $(seq 600); do
            if "${as[@]}" "$bin/pg_isready" -q -h "$folder"; then return; fi
            # What a killed server left is not removed yet.
            kill -0 "$(<"$folder/database.pids")" 2>/dev/null || break
            sleep 0.05
        done
        ((++tries < 100)) || { tail -n 5 "$folder/database.log" >&2; return 1; }
        sleep 0.1
    done
}

start_pooler() {
    cat >"$folder/pooler.ini" <<INI
[databases]
app = host=$folder port=5432 dbname=app
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $folder
auth_type = trust
auth_file = $folder/users.txt
pool_mode = $mode
default_pool_size = ${POOL_SIZE:-8}
max_client_conn = 1000
logfile = $folder/pooler.log
server_login_retry = 0.1
admin_users = owner
INI
    rm -f "$folder/.s.PGSQL.6432"
    # Restart it if it ends by itself, as a service manager would: 1.18 stops if a client disconnects while it cancels
    # ("bad client state").
    set -m
    (
        while true; do
            "${as[@]}" "$pooler" -q "$folder/pooler.ini" 2>>"$folder/pooler.err" || true
            echo "PgBouncer ended by itself: $(tail -n 1 "$folder/pooler.log")" >&2
            rm -f "$folder/.s.PGSQL.6432"
            sleep 0.1
        done
    ) &
    echo $! >"$folder/pooler.pids"
    disown
    set +m
    for _ in $(seq 600); do
        [[ -S "$folder/.s.PGSQL.6432" ]] && return
        sleep 0.02
    done
    tail -n 5 "$folder/pooler.log" "$folder/pooler.err" >&2
    return 1
}

kill_all_of() {
    local pid pids
    # Stopped first: a process that it starts after the list was taken would live on, with the memory that the next one needs.
    if pid="$(cat "$folder/$1.pids" 2>/dev/null)" && kill -STOP "$pid" 2>/dev/null; then
        until grep -q '^State:.[TZ]' "/proc/$pid/status" 2>/dev/null || ! kill -0 "$pid" 2>/dev/null; do sleep 0.001; done
    fi
    pids="$(processes_of "$1")"
    rm -f "$folder/$1.pids"
    [[ -z "$pids" ]] || kill -KILL $pids 2>/dev/null || true
    for pid in $pids; do
        while kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    done
}

stop() {
    trap - EXIT
    kill_all_of pooler
    kill_all_of database
    cd /
    rm -rf "$folder"
}
trap stop EXIT
trap '' INT HUP  # from a terminal: the input then ends as well

"${as[@]}" "$bin/initdb" -D "$folder/data" -A trust -U owner --no-sync -E UTF8 --locale=C >/dev/null
# A killed process loses nothing that was written; a power failure would.
cat >>"$folder/data/postgresql.conf" <<CONF
fsync = off
full_page_writes = off
max_connections = 200
shared_buffers = 32MB
max_wal_size = 256MB
log_min_messages = fatal
CONF
printf '"%s" ""\n' owner app twin >"$folder/users.txt"
start_database
printf '%s' "$SCHEMA" >"$folder/schema.sql"
chmod a+r "$folder/schema.sql"
"${as[@]}" "$bin/psql" -h "$folder" -U owner -d postgres -qAtX -v ON_ERROR_STOP=1 -c "CREATE DATABASE app"
"${as[@]}" "$bin/psql" -h "$folder" -U owner -d app -qAtX -v ON_ERROR_STOP=1 -f "$folder/schema.sql" >/dev/null
start_pooler
echo "ready $folder"

while read -r verb what; do
    case "$verb $what" in
    "kill database" | "kill pooler") kill_all_of "$what" ;;
    "start database") start_database ;;
    "start pooler") start_pooler ;;
    "copy "*)
        "${as[@]}" "$bin/psql" -h "$folder" -U owner -d postgres -qAtX -v ON_ERROR_STOP=1 -c "CREATE DATABASE $what TEMPLATE app"
        ;;
    "pool "*)
        mode="$what"
        kill_all_of pooler
        start_pooler
        ;;
    *)
        echo "There is no command \"$verb $what\"." >&2
        exit 2
        ;;
    esac
    echo "done"
done
