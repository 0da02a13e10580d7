import { afterAll, beforeAll } from 'vitest';
import { openStore, type Store } from '../../store/store.ts';
import type { StoreLink } from '../../store/store-link.ts';
import { type FreshPlace, type StoreKind, silentLog } from './test-stores.ts';

/** An empty store for the tests of a `describe`: opened before the first of them, closed and removed after the last. */
export function storeOf(fresh: StoreKind['fresh'], link?: StoreLink): Store {
  let place: FreshPlace;
  let store: Store;
  beforeAll(async () => {
    place = await fresh();
    store = await openStore({ ...place.place, log: silentLog, ...(link && { link }) });
  });
  afterAll(async () => {
    await store.close();
    await place.remove();
  });
  return {
    get db() {
      return store.db;
    },
    get kind() {
      return store.kind;
    },
    get id() {
      return store.id;
    },
    check: () => store.check(),
    get session() {
      return store.session;
    },
    get checkpoint() {
      return store.checkpoint;
    },
    close: () => store.close(),
  };
}
