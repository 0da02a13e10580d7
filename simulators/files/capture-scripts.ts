import type { Match } from '../control/matching.ts';
import type { Reply, Script } from '../control/protocol.ts';
import { valueAt } from '../json/json-body.ts';
import type { Capture, RecordedExchange } from '../recordings/capture-file.ts';
import { bytesOf, type RecordedResponse } from '../recordings/recorded.ts';
import { turnNumber, userText } from '../requests/decode-request.ts';
import { RequestFacts } from '../requests/request-facts.ts';

/**
 * Scripts that replay a capture by request: path, model, streamed or not, turn, and the whole user text. For repeated equal
 * requests, the answers follow in order.
 * @param speed factor by which the replay is faster than the recording
 */
export function scriptsOfCapture({ exchanges }: Capture, speed: number): Script[] {
  const scripts = new Map<string, { match: Match; replies: Reply[] }>();
  for (const exchange of exchanges.filter(({ request }) => request.method === 'POST')) {
    const match = matchOf(exchange);
    const name = JSON.stringify(match);
    const known = scripts.get(name) ?? { match, replies: [] };
    known.replies.push({ replay: atSpeed(exchange.response, speed) });
    scripts.set(name, known);
  }
  return [...scripts.values()].map((script) => ({ ...script, optional: true }));
}

function matchOf({ request: { target, body } }: RecordedExchange): Match {
  const [address = '', query = ''] = target.split('?', 2);
  // The upstream's base URL may have its own path.
  const path = /\/v\d(?:beta)?\/.*$/.exec(address)?.[0] ?? address;
  const head = { target, path, query: new URLSearchParams(query), headers: [] };
  const { model, said, json } = new RequestFacts(head, '', bytesOf(body));
  return {
    path,
    ...(model === null ? {} : { model }),
    // Paths of generate-content name it themselves, and images come whole.
    ...(/:|\/images\//.test(path) ? {} : { stream: valueAt(json, ['stream']) === true }),
    turn: turnNumber(said),
    text: { exact: userText(said) },
  };
}

function atSpeed({ chunks, ended, ended_at_ms }: RecordedResponse, speed: number): RecordedResponse {
  return {
    chunks: chunks.map((chunk) => ({ ...chunk, at_ms: chunk.at_ms / speed })),
    ended,
    ended_at_ms: ended_at_ms / speed,
  };
}
