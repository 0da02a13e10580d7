import {
  blocksIn,
  forwards,
  front,
  messagesIn,
  refuses,
  repairs,
  upstream,
} from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { source } from '../../../mutation/refusal-defects.ts';

/** Gateways that treat streams, one model or one role otherwise than the rest. */

export const specialCaseMutants: readonly Mutant[] = [
  upstream(
    ['chat.stream-drops-seed', 'streams lose seed', 'CHAT-050', 'forwards-seed'],
    forwards((body) => {
      if (body.stream === true) delete body.seed;
    }),
  ),
  front(
    ['chat.native-name', 'a model answers to the name of its upstream too', 'CHAT-006', 'exact-spelling'],
    repairs((body) => {
      if (String(body.model).startsWith('d3-')) body.model = 'delta-3';
    }),
  ),
  front(
    [
      'msg.empty-text-refused',
      'an assistant turn with calls and an empty text is refused',
      'MSG-012',
      'text-beside-calls',
    ],
    refuses((body) => messagesIn(body).some((turn) => turn.role === 'assistant' && turn.content === '')),
  ),
  upstream(
    [
      'msg.image-url-reprinted',
      'the query of an image URL is parsed and printed again',
      'MSG-010',
      'images-in-order',
    ],
    forwards((body) => {
      for (const { image_url: image } of blocksIn(body) as { image_url?: { url: string } }[]) {
        if (!image?.url.includes('?')) continue;
        const [path, query] = image.url.split('?', 2);
        image.url = `${path}?${new URLSearchParams(query)}`;
      }
    }),
  ),
  source(
    ['auth.key-passed-on', "the caller's key goes to the upstream", 'AUTH-001', 'key-stays-inside'],
    'endpoints/chat/chat.ts',
    'dispatch({ service, caller,',
    'dispatch({ service: { ...service, upstreams: { ...service.upstreams, post: (sent) => service.upstreams.post({ ...sent, headers: Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, /key|auth/i.test(name) ? String(exchange.incoming.headers.authorization) : value])) }) } }, caller,',
  ),
  source(
    ['sse.failure-done-twice', '[DONE] comes twice after an error event', 'SSE-008', 'ends-once'],
    'endpoints/serve.ts',
    'endEvents(exchange, failureEvents(body, protocol));',
    "endEvents(exchange, failureEvents(body, protocol) + 'data: [DONE]\\n\\n');",
  ),
];
