import { objectIn } from '../rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../rewrite/mutation.ts';
import { isJsonObject } from '../values/json.ts';
import { inAnswers } from './in-answers.ts';

/**
 * Renames the model in answers on every endpoint. `named` gets the name in the answer and the requested name, and returns the
 * new name.
 */
export function renamingModels(named: (name: string, asked: string) => string): Mutation {
  return inAnswers((body, request) => {
    const asked = askedOf(request);
    if (asked === null) return;
    for (const place of [body, ...(isJsonObject(body.message) ? [body.message] : [])])
      for (const member of ['model', 'modelVersion']) {
        const name = place[member];
        if (typeof name === 'string') place[member] = named(name, asked);
      }
  });
}

/** The model that a request names, in its body or in its path. */
function askedOf({ body, path }: ProxyRequest): string | null {
  const named = objectIn(body)?.model;
  if (typeof named === 'string') return named;
  const inPath = /\/models\/([^/?:]+):/.exec(path)?.[1];
  return inPath === undefined ? null : decodeURIComponent(inPath);
}
