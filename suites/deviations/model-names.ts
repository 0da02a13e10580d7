import { isJsonObject } from '../json.ts';
import { type Body, exactIn, objectIn } from '../mutation/json.ts';
import type { Mutation, ProxyRequest } from '../mutation/mutation.ts';

/**
 * Renames the model of answers, on each way in. `named` gets the name in an answer and the one that was asked for, and returns
 * the one that should stand there.
 */
export function renamingModels(named: (name: string, asked: string) => string): Mutation {
  const edit = (body: Body, request: ProxyRequest): boolean => {
    const asked = askedOf(request);
    if (asked === null) return false;
    const places = [body, ...(isJsonObject(body.message) ? [body.message] : [])];
    const was = JSON.stringify(body);
    for (const place of places)
      for (const member of ['model', 'modelVersion']) {
        const name = place[member];
        if (typeof name === 'string') place[member] = named(name, asked);
      }
    return JSON.stringify(body) !== was;
  };
  return {
    answer: (answer, request) => {
      const body = exactIn(answer.body);
      return body !== null && edit(body, request)
        ? { ...answer, body: Buffer.from(JSON.stringify(body)) }
        : answer;
    },
    events: (request) => (event) => {
      if (event === null) return [];
      const lines = event.split('\n').map((line) => {
        const body = line.startsWith('data: ') ? exactIn(Buffer.from(line.slice(6))) : null;
        return body !== null && edit(body, request) ? `data: ${JSON.stringify(body)}` : line;
      });
      return [lines.join('\n')];
    },
  };
}

/** The model that a request names, in its body or in its path. */
function askedOf({ body, path }: ProxyRequest): string | null {
  const named = objectIn(body)?.model;
  if (typeof named === 'string') return named;
  const inPath = /\/models\/([^/?:]+):/.exec(path)?.[1];
  return inPath === undefined ? null : decodeURIComponent(inPath);
}
