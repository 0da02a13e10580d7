/** A store that cannot be opened or used. The message is one sentence for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Another process (or another store in this one) has locked the data directory. */
export class DataDirLocked extends StoreError {
  override name = 'DataDirLocked';
  readonly dataDir: string;
  /** Process id of the lock's owner; null if it has not been written yet. */
  readonly holderPid: number | null;

  constructor(dataDir: string, holderPid: number | null) {
    const holder = holderPid === null ? 'another process' : `another process (pid ${holderPid})`;
    super(`The data directory ${dataDir} is in use by ${holder}; stop it or choose another directory.`);
    this.dataDir = dataDir;
    this.holderPid = holderPid;
  }
}

/** The data directory cannot be created, read or written, or contains files of another program. */
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

/** The accounts of the configuration contradict each other or the database. */
export class SeedConflict extends StoreError {
  override name = 'SeedConflict';
}

/** The message of any thrown value. An AggregateError of refused connections has an empty message, so its errors are used. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
