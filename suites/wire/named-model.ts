import { isJsonObject, parseJson } from '../values/json.ts';

/** The model that a call names; null if it names none. */
export function modelIn(body: Buffer): string | null {
  const sent = parseJson(body.toString('utf8'));
  return isJsonObject(sent) && typeof sent.model === 'string' && sent.model !== '' ? sent.model : null;
}
