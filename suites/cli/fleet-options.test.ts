import { expect, it } from 'vitest';
import { fleetFlags, fleetOf } from './fleet-options.ts';

const store = 'postgres://me:secret@127.0.0.1:5432/postgres';

it('one process has an embedded database, unless a server is named', () => {
  expect(fleetOf({})).toEqual({});
  expect(fleetOf({ store })).toEqual({ fleet: { serverUrl: store, processes: 1, workers: 1 } });
  expect(fleetOf({ store, processes: 2, workers: 3 })).toEqual({
    fleet: { serverUrl: store, processes: 2, workers: 3 },
  });
});

it.for([
  [{ processes: 2 }, /need --store/],
  [{ workers: 2 }, /need --store/],
  [{ store, processes: 0 }, /at least 1/],
  [{ store: 'mysql://me:secret@host/name' }, /address of a PostgreSQL server/],
] as const)('rejects %j without showing secrets', ([options, message]) => {
  expect(() => fleetOf(options)).toThrow(message);
  expect(() => fleetOf(options)).not.toThrow(/secret/);
});

it('a command that repeats a run starts the same processes, and tells no secret', () => {
  expect(fleetFlags({})).toBe('');
  expect(fleetFlags({ store, processes: 2 })).toBe(' --store "$DATABASE_URL" --processes 2');
  expect(fleetFlags({ store, workers: 2 })).toBe(' --store "$DATABASE_URL" --workers 2');
});
