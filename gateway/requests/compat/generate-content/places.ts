import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { spelled } from './spelling.ts';

/** Our fields with the native paths of the same meaning; the first path that is present counts. */
const fieldPaths: Readonly<Record<string, readonly string[]>> = {
  messages: ['contents'],
  system: ['systemInstruction'],
  tools: ['tools'],
  tool_choice: ['toolConfig'],
};
const configFields: Readonly<Record<string, readonly string[]>> = {
  temperature: ['temperature'],
  top_p: ['topP'],
  max_tokens: ['maxOutputTokens'],
  stop: ['stopSequences'],
  seed: ['seed'],
  response_format: ['responseJsonSchema', 'responseSchema', 'responseMimeType'],
};

/** Paths, in the caller's spelling, of our fields that have a value in a native body. */
export function givenPlaces(body: JsonObject): Map<string, string> {
  const places = placesIn(body, fieldPaths, '');
  const name = spelled(body, 'generationConfig');
  const config = body[name];
  if (isObject(config))
    for (const [field, place] of placesIn(config, configFields, `${name}.`)) places.set(field, place);
  return places;
}

function placesIn(
  object: JsonObject,
  fields: Readonly<Record<string, readonly string[]>>,
  prefix: string,
): Map<string, string> {
  const rows = Object.entries(fields).flatMap(([field, names]) => {
    const given = names.map((name) => spelled(object, name)).find((name) => (object[name] ?? null) !== null);
    return given === undefined ? [] : [[field, `${prefix}${given}`] as const];
  });
  return new Map(rows);
}

/** The native path for our path, or for its nearest parent that has one; otherwise the path of the conversation. */
export function placeIn(
  fields: ReadonlyMap<string, string>,
  turns: { readonly places: ReadonlyMap<string, string> },
  param: string,
): string {
  for (let path = param; path !== ''; path = path.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const place = fields.get(path) ?? turns.places.get(path);
    if (place !== undefined) return place;
  }
  return 'contents';
}
