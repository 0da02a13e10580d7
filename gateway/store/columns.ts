import type { ColumnType } from 'kysely';

/** The digest of a row's last configuration entry; null for a row that was never configured. */
export type SeedDigest = ColumnType<string | null, string | null | undefined, string | null>;

/** Money as whole pico-USD: written as bigint or text, read as text. */
export type Pico = ColumnType<string, bigint | string, bigint | string>;

/** A column that is inserted once and never updated. */
export type Written<T> = ColumnType<T, T, never>;
