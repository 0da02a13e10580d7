import { must } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { type Exchange, isSuccess, jsonOf } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import { rawId } from '../native/dialects.ts';
import type { Call } from './call.ts';
import { type Judged, judgedBy } from './judge-exchange.ts';

/** The ids of the completions and messages of a check, none of which may return ("Chat response"). */
export class AnswerIds {
  readonly #known = new Map<string, Exchange>();

  /** Notes an answer. Returns the violation if an earlier one has its id. */
  add(exchange: Exchange, call: Call): Judged[] {
    const { protocol, stream } = call;
    if ((protocol !== 'chat' && protocol !== 'compatA') || !isSuccess(exchange)) return [];
    const id = idIn(exchange, stream);
    if (id === null || id.includes(rawId)) return [];
    const twin = this.#known.get(id);
    this.#known.set(id, exchange);
    if (twin === undefined) return [];
    const row = protocol === 'compatA' ? protocol : stream ? 'stream' : 'chat';
    const requirement = { compatA: 'COMPA-010', stream: 'SSE-013', chat: 'RESP-001' }[row];
    const actual = `${id}, the id of an earlier one`;
    const expected = 'an id that no other answer has';
    return [
      judgedBy(row, true, () =>
        must(false, { requirement, aspect: 'id-of-its-own', expected, actual, exchange, twin }),
      ),
    ];
  }
}

/** The id of a whole answer, or that in the first event of a stream. */
function idIn(exchange: Exchange, stream: boolean): string | null {
  const first = stream ? readSse(exchange.response?.body ?? Buffer.alloc(0)).events[0]?.data : undefined;
  const body = stream ? parseJson(first ?? '') : jsonOf(exchange);
  if (!isJsonObject(body)) return null;
  const { id } = isJsonObject(body.message) ? body.message : body;
  return typeof id === 'string' && id !== '' ? id : null;
}
