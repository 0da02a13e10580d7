import pg from 'pg';
import type { Logger } from 'pino';
import { clientConfig } from './connection-pool.ts';
import type { ServerAddress } from './server-address.ts';
import type { StoreLink } from './store-link.ts';

/** Short texts from one process to all that share a database server. Those sent while one does not listen are lost to it. */
export interface Notices {
  /** Whether this process hears notices now. */
  readonly isHeard: boolean;
  onNotice(hear: (text: string) => void): void;
  close(): Promise<void>;
}

/** The channel of all notices of gateways. */
export const noticeChannel = 'gatecheck_notices';
/** PostgreSQL refuses texts of 8,000 bytes and more. */
export const maxNoticeBytes = 7_000;

const againMs = 1_000;
const leaveMs = 1_000;

/** Listens on a connection of its own, which is opened again when it breaks. */
export function listenForNotices(
  server: Pick<ServerAddress, 'url' | 'ssl'>,
  log: Pick<Logger, 'warn'>,
  link: StoreLink | null,
): Notices {
  const hearers: ((text: string) => void)[] = [];
  let client: pg.Client | null = null;
  let isHeard = false;
  let isClosed = false;
  let again: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const one = new pg.Client({ ...clientConfig(server, link), keepAlive: true });
    client = one;
    one.on('notification', ({ payload = '' }) => {
      for (const hear of hearers) hear(payload);
    });
    const lose = (error?: Error): void => {
      if (client !== one) return;
      client = null;
      isHeard = false;
      if (isClosed) return;
      log.warn({ reason: error?.message }, 'notices of other processes are not heard');
      again = setTimeout(() => void connect(), againMs);
    };
    one.on('error', lose);
    one.on('end', () => lose());
    try {
      await one.connect();
      await one.query(`listen ${noticeChannel}`);
      isHeard = client === one;
    } catch (error) {
      lose(error instanceof Error ? error : undefined);
      await one.end().catch(() => {});
    }
  };
  void connect();
  return {
    get isHeard() {
      return isHeard;
    },
    onNotice: (hear) => void hearers.push(hear),
    close: async () => {
      isClosed = true;
      if (again !== null) clearTimeout(again);
      isHeard = false;
      const ended = client?.end().catch(() => {});
      // A network that has fallen silent never says that the connection is closed.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, leaveMs);
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}
