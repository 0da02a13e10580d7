import { chatModel } from '../oracle/chat-catalogue.ts';
import type { Exchange } from '../wire/exchange.ts';
import { wayOf } from './way-of.ts';

/**
 * Where an exchange took place: the way in, and the family of the model that it asked. One defect in one of them must
 * not hide another elsewhere. Null where the exchange is no call of a model.
 */
export function placeOf(exchange: Exchange | undefined): string | null {
  if (exchange === undefined) return null;
  const { method, url, body } = exchange.request;
  // The deployment may stand below a path of its own.
  const path = /\/(?:api\/v1|compat-[ab])\/.*$/.exec(url)?.[0];
  const way = path === undefined ? null : wayOf({ method, path, body });
  if (path === undefined || way === null) return null;
  const model = /\/models\/([^:/?]+):/.exec(path)?.[1] ?? modelIn(body);
  const family = model === null ? null : (chatModel(model)?.family ?? null);
  return family === null ? way : `${way}, ${family}`;
}

/** The model that a body names, found also where the body is no JSON. */
function modelIn(body: Buffer): string | null {
  return /"model"\s*:\s*"([^"\\]{1,100})"/.exec(body.toString('utf8'))?.[1] ?? null;
}
