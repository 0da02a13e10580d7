import { join } from 'node:path';

/** Where the processes of a gateway meet that keeps its data on a database server. */
export interface FleetPlace {
  readonly databaseUrl: string;
  /** Worker processes of each gateway. */
  readonly workers: number;
  /** The address in front of several gateways; null where there is one. */
  readonly publicUrl: string | null;
}

/** The part of a gateway's configuration about what its processes share: database, folder of files, address of links. */
export function fleetPart({ databaseUrl, workers, publicUrl }: FleetPlace, dataDir: string): object {
  return {
    store: { url: databaseUrl },
    media: { dir: join(dataDir, 'media') },
    ...(workers === 1 ? {} : { workers }),
    ...(publicUrl === null ? {} : { public_url: publicUrl }),
  };
}
