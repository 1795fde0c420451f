-- After identity.sql, as a superuser: a role with transactions that cannot change their identity, whatever an attacker gets
-- into a statement, and a session's setting that has no force in any transaction.

-- What a client cannot see in a statement: settings, locks and tables that outlast the transaction.
REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC;
DO $$
DECLARE locking regprocedure;
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    FOR locking IN SELECT oid FROM pg_catalog.pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_lock'
    LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', locking); END LOOP;
END $$;

-- Distinguished by process and beginning, which no two transactions share.
CREATE FUNCTION identity.transaction() RETURNS text LANGUAGE sql STABLE
    RETURN pg_backend_pid() || '/' || extract(epoch FROM transaction_timestamp());

CREATE OR REPLACE FUNCTION identity.present() RETURNS text LANGUAGE sql STABLE PARALLEL RESTRICTED
    RETURN CASE WHEN current_setting('app.transaction', true) = identity.transaction()
        THEN nullif(current_setting('app.identity', true), '') END;

-- Once in a transaction: what is injected later cannot enter as another.
CREATE FUNCTION identity.enter(name text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    IF current_setting('app.transaction', true) = identity.transaction() THEN
        RAISE insufficient_privilege USING MESSAGE = 'The transaction is somebody''s already.';
    END IF;
    PERFORM set_config('app.identity', name, true), set_config('app.transaction', identity.transaction(), true);
    RETURN name;
END $$;
