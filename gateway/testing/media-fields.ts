import { mediaModels } from '../catalogue/media-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import type { UrlRules } from '../requests/media/https-url.ts';
import type { MediaRequest } from '../requests/media/media-request.ts';
import { parseMediaRequest } from '../requests/media/parse-media-request.ts';
import { mediaBody } from './media-bodies.ts';

type Body = Readonly<Record<string, unknown>>;

/** What holds on a gateway that serves people, and on one that is tested. */
const closed = rulesThat(false);
const open = rulesThat(true);

function rulesThat(takesPrivate: boolean): UrlRules {
  return createOutbound({
    ports: [443, 8443],
    allowedHosts: takesPrivate ? ['127.0.0.1:8443'] : [],
    resolve: scriptedResolve({}),
  });
}

/** What is made of a body, as it would be sent; it names its model. */
export function parseBody(body: Body | string, takesPrivate = false): MediaRequest {
  const parsed = parseJsonObject(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  const model = mediaModels.get(String(parsed.value.model));
  if (model === undefined) throw new Error(`no such model: ${String(parsed.value.model)}`);
  return parseMediaRequest(parsed, model, takesPrivate ? open : closed);
}

/** The field that a body is refused for; null when it is not refused. */
export function refusedFor(body: Body | string): string | null {
  try {
    parseBody(body);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_param') throw error;
    return error.param;
  }
}

/** One field of one model, with the values that are taken and those that are refused. */
export interface FieldRow {
  readonly model: string;
  readonly field: string;
  /** What stands for a field that is left out or null; undefined for nothing, `REQUIRED` when it must be there. */
  readonly whenLeftOut: unknown;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
  /** What else the body holds. */
  readonly body?: Body;
}

export const required = Symbol('required');

/** Values of every JSON type, but for those that a field may take. */
export const noText = [5, 0, true, [], {}, ['a']] as const;
export const noInt = ['5', '', 1.5, true, [], {}, '1e3'] as const;
export const noFlag = ['true', 'false', 0, 1, [], {}] as const;
export const noNumber = ['0.5', true, [], {}] as const;
export const noUrl = [
  ...noText,
  '',
  'sea.png',
  '/sea.png',
  'http://media.example.com/sea.png',
  'ftp://media.example.com/sea.png',
  'https://',
  'https:///sea.png',
  'https://media example.com/sea.png',
  'https://user:word@media.example.com/sea.png',
  'https://localhost/sea.png',
  'https://127.0.0.1/sea.png',
  'https://10.1.2.3/sea.png',
  'https://192.168.0.1./sea.png',
  'https://[::1]/sea.png',
  'https://[::ffff:10.0.0.1]/sea.png',
  `https://media.example.com/${'a'.repeat(8192)}`,
  'data:text/plain;base64,AAAA',
] as const;
export const urls = [
  'https://media.example.com/sea.png',
  'HTTPS://media.example.com/sea.png?size=1#top',
  'https://93.184.215.14:8443/sea',
] as const;

/** What is wrong with the fields of a row, in words; nothing when all is as it says. */
export function faultsOf({ model, field, whenLeftOut, taken, refused, body = {} }: FieldRow): string[] {
  const with_ = (value: unknown): Body => mediaBody(model, { ...body, [field]: value });
  const without = Object.fromEntries(Object.entries(with_(null)).filter(([name]) => name !== field));
  const faults: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      faults.push(`${model} ${field} ${what}: ${String(JSON.stringify(found))}`);
  };
  for (const value of taken) {
    const shown = JSON.stringify(value).slice(0, 60);
    expect(`= ${shown} is refused`, refusedFor(with_(value)), null);
    expect(`= ${shown} goes on as`, parseBody(with_(value)).fields[field], value);
  }
  for (const value of refused)
    expect(`= ${JSON.stringify(value).slice(0, 60)} names`, headOf(refusedFor(with_(value))), field);
  if (whenLeftOut === required) {
    expect('left out names', refusedFor(without), field);
    expect('null names', refusedFor(with_(null)), field);
  } else {
    expect('left out is', parseBody(without).fields[field], whenLeftOut);
    expect('null is', parseBody(with_(null)).fields[field], whenLeftOut);
  }
  return faults;
}

function headOf(param: string | null): string | null {
  return param === null ? null : (/^[a-z_]+/.exec(param)?.[0] ?? param);
}
