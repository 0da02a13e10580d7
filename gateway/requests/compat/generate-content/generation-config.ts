import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import type { ChatFields } from '../../chat-schema.ts';
import type { NativeOnlyFields } from './native-only-fields.ts';
import { jsonSchemaOf } from './open-api-schema.ts';
import { member, spelled } from './spelling.ts';

type ConfigFields = Pick<
  ChatFields,
  'temperature' | 'top_p' | 'max_tokens' | 'stop' | 'seed' | 'response_format'
>;

const known = [
  ...['temperature', 'topP', 'maxOutputTokens', 'stopSequences', 'seed', 'candidateCount'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema'],
];
/** Maximum of stop sequences that every dialect accepts. */
const maxStops = 4;

/** The settings of a native body in common form. Numbers are ordinary; schemas keep all digits. */
export function configFields(
  value: JsonObject,
  exact: JsonObject,
  nativeOnly: NativeOnlyFields,
): ConfigFields {
  const at = spelled(value, 'generationConfig');
  const [config, exactConfig] = [value[at], exact[at]];
  if (!isObject(config) || !isObject(exactConfig)) return {};
  nativeOnly.addOthers(config, at, known);
  const temperature = numberIn(config, 'temperature');
  const maxTokens = numberIn(config, 'maxOutputTokens');
  const topP = numberIn(config, 'topP');
  const seed = numberIn(config, 'seed');
  const isLegal = {
    topP: topP === null || (topP >= 0 && topP <= 1),
    seed: seed === null || Number.isSafeInteger(seed),
  };
  for (const name of ['topP', 'seed'] as const) {
    const isNumber = (member(config, name) ?? null) === null || numberIn(config, name) !== null;
    if (!isNumber || !isLegal[name]) nativeOnly.add(`${at}.${spelled(config, name)}`);
  }
  return {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && isLegal.topP && { top_p: topP }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
    ...(seed !== null && isLegal.seed && { seed }),
    ...stopField(config, at, nativeOnly),
    ...formatField(exactConfig, at, nativeOnly),
  };
}

function numberIn(config: JsonObject, name: string): number | null {
  const value = member(config, name);
  return typeof value === 'number' ? value : null;
}

function stopField(config: JsonObject, at: string, nativeOnly: NativeOnlyFields): Pick<ChatFields, 'stop'> {
  const name = spelled(config, 'stopSequences');
  const given = config[name] ?? [];
  const all: unknown[] = Array.isArray(given) ? given : [null];
  const stops = all.filter((one) => typeof one === 'string' && one !== '').map(String);
  if (stops.length < all.length || all.length > maxStops) nativeOnly.add(`${at}.${name}`);
  return stops.length > 0 ? { stop: stops } : {};
}

function formatField(
  config: JsonObject,
  at: string,
  nativeOnly: NativeOnlyFields,
): Pick<ChatFields, 'response_format'> {
  const mime = member(config, 'responseMimeType') ?? 'text/plain';
  const json = member(config, 'responseJsonSchema') ?? null;
  const own = member(config, 'responseSchema') ?? null;
  const schema = json ?? (own === null ? null : jsonSchemaOf(own));
  const canBeSaid = own === null ? schema === null || isObject(schema) : json === null && schema !== null;
  if (mime === 'application/json' && canBeSaid) {
    return isObject(schema)
      ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
      : { response_format: { type: 'json_object' } };
  }
  if (mime !== 'application/json' && mime !== 'text/plain')
    nativeOnly.add(`${at}.${spelled(config, 'responseMimeType')}`);
  else if (json !== null || own !== null)
    nativeOnly.add(`${at}.${spelled(config, json === null ? 'responseSchema' : 'responseJsonSchema')}`);
  return {};
}
