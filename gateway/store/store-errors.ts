/** A store that cannot be opened or used; the message is one sentence fit to show to an operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Another process (or another store in this one) holds the data directory. */
export class DataDirLocked extends StoreError {
  override name = 'DataDirLocked';
  readonly dataDir: string;
  /** Process id of the holder, null when it has not written it down yet. */
  readonly holderPid: number | null;

  constructor(dataDir: string, holderPid: number | null) {
    const holder = holderPid === null ? 'another process' : `another process (pid ${holderPid})`;
    super(`The data directory ${dataDir} is in use by ${holder}; stop it or choose another directory.`);
    this.dataDir = dataDir;
    this.holderPid = holderPid;
  }
}

/** The data directory cannot be made, read or written, or holds something that is not ours. */
export class DataDirUnusable extends StoreError {
  override name = 'DataDirUnusable';
}

/** The database was migrated by a newer version of this program. */
export class SchemaTooNew extends StoreError {
  override name = 'SchemaTooNew';
  readonly unknownMigrations: readonly string[];

  constructor(place: string, unknownMigrations: readonly string[]) {
    super(
      `The database in ${place} was made by a newer version of Gatecheck ` +
        `(unknown migrations: ${unknownMigrations.join(', ')}).`,
    );
    this.unknownMigrations = unknownMigrations;
  }
}

/** The accounts of the configuration contradict each other or what the database already holds. */
export class SeedConflict extends StoreError {
  override name = 'SeedConflict';
}

/** The message of anything thrown; an AggregateError of refused connections has an empty one of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
