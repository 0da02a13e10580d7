import { UsageError } from '../process/exit-codes.ts';
import type { FleetOptions } from '../stack/fleet.ts';

/** The options about the processes of the embedded stack's gateway. */
export interface ProcessOptions {
  /** The address of a PostgreSQL server. */
  readonly store?: string;
  readonly processes?: number;
  readonly workers?: number;
}

/**
 * The embedded stack's gateway, unless it is one process with an embedded database.
 * @throws UsageError when several processes have no shared server
 */
export function fleetOf({ store, processes = 1, workers = 1 }: ProcessOptions): { fleet?: FleetOptions } {
  if (processes < 1 || workers < 1) throw new UsageError('--processes and --workers must be at least 1');
  if (store === undefined) {
    if (processes === 1 && workers === 1) return {};
    throw new UsageError(
      'several processes need --store with the address of a PostgreSQL server: an embedded database belongs to one',
    );
  }
  if (!/^postgres(?:ql)?:\/\//.test(store) || !URL.canParse(store))
    throw new UsageError(
      '--store is the address of a PostgreSQL server: postgres://user:password@host:port/name',
    );
  return { fleet: { serverUrl: store, processes, workers } };
}

/** The flags that start the same processes again, without the server's URL, which contains a password. */
export function fleetFlags({ store, processes, workers }: ProcessOptions): string {
  const counts = Object.entries({ processes, workers }).map(([name, count]) =>
    count === undefined ? '' : ` --${name} ${count}`,
  );
  return (store === undefined ? '' : ' --store "$DATABASE_URL"') + counts.join('');
}
