import { modelsRoute, readRoute } from '../../oracle/core-routes.ts';
import { KnownValues } from './known-values.ts';
import { type DraftRequest, type Endpoint, keySlot, type Subject } from './subject.ts';

/** The endpoints that take no body: only their path, query and headers can be damaged. */
export const readSubjects: readonly Subject[] = [
  readSubject('task read', readRoute.path),
  readSubject('models', modelsRoute.path),
];

function readSubject(endpoint: Endpoint, path: string): Subject {
  return {
    ...{ endpoint, model: null, fields: [], least: null, whole: [], streams: false },
    known: new KnownValues([]),
    draw: () => ({}),
    request: (): DraftRequest => ({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${keySlot}` },
      body: Buffer.alloc(0),
    }),
    sureFault: () => (body) => body,
  };
}
