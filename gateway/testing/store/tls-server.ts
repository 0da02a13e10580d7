import type { Certificates } from '../certificates.ts';
import type { OwnServer } from '../failover/own-server.ts';

/**
 * Makes a test's own server accept TLS with this certificate, and client certificates signed by `ca`. The server writes the
 * files itself, since only its user may read the key.
 */
export async function offerTls(
  { query }: Pick<OwnServer, 'query'>,
  { ca, cert, key }: Certificates,
): Promise<void> {
  const write = (name: string, text: string): Promise<unknown> =>
    query(
      `copy (select unnest(string_to_array('${text.trim()}', e'\\n'))) to program 'umask 077 && cat > ${name}'`,
    );
  await write('server.crt', cert);
  await write('server.key', key);
  await write('clients.crt', ca);
  await query("alter system set ssl_ca_file = 'clients.crt'");
  await query('alter system set ssl = on');
  await query('select pg_reload_conf()');
}
