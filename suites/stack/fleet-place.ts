import { join } from 'node:path';

/** The database server on which the processes of a gateway keep their data. */
export interface FleetPlace {
  readonly databaseUrl: string;
  /** Worker processes of each gateway. */
  readonly workers: number;
  /** The URL in front of several gateways; null when there is only one gateway. */
  readonly publicUrl: string | null;
}

/** The part of a gateway's configuration that its processes share: database, folder of files, URL for links. */
export function fleetPart({ databaseUrl, workers, publicUrl }: FleetPlace, dataDir: string): object {
  return {
    store: { url: databaseUrl },
    media: { dir: join(dataDir, 'media') },
    ...(workers === 1 ? {} : { workers }),
    ...(publicUrl === null ? {} : { public_url: publicUrl }),
  };
}
