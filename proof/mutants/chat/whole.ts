import { inRequests, refuses } from '../../edits/chat-edits.ts';
import { front, type Mutant, upstream } from '../../edits/mutant.ts';
import { toUpstream } from '../../edits/native-edits.ts';

/** Maximum text length that this gateway keeps, in characters. */
const keptLength = 100_000;

/** Gateways that handle small and simple requests correctly, but fail on large ones or combined conditions. */
export const wholeRequestMutants: readonly Mutant[] = [
  upstream(
    ['chat.whole-cut', 'texts of more than 100,000 characters are cut', 'CHAT-054', 'whole-at-any-size'],
    toUpstream('generate-content', (body) => {
      const cut = (_: string, value: unknown): unknown =>
        typeof value === 'string' ? value.slice(0, keptLength) : value;
      Object.assign(body, JSON.parse(JSON.stringify(body), cut));
    }),
  ),
  front(
    ['chat.whole-too-large', 'large requests are refused', 'CHAT-054', 'accepted-at-any-size'],
    refuses((body) => JSON.stringify(body.messages ?? '').length > 30_000, 'invalid_param', 'messages'),
  ),
  upstream(
    ['chat.pairs-no-system-stream', 'a stream loses its system text', 'CHAT-010', 'whole-in-any-pair'],
    toUpstream('messages', (body) => {
      if (body.stream === true) delete body.system;
    }),
  ),
  front(
    [
      'chat.pairs-single-none',
      'of one family, parallel_tool_calls false undoes tool_choice none',
      'CHAT-050',
      'whole-in-any-pair',
    ],
    inRequests((body) => {
      const isBeta = String(body.model).startsWith('beta-');
      if (isBeta && body.parallel_tool_calls === false && body.tool_choice === 'none')
        body.tool_choice = 'auto';
    }),
  ),
  front(
    [
      'chat.pairs-no-forced-stream',
      'a stream cannot be made to call a tool',
      'CHAT-050',
      'accepted-in-any-pair',
    ],
    refuses(
      (body) => body.stream === true && body.tool_choice === 'required',
      'invalid_param',
      'tool_choice',
    ),
  ),
  front(
    [
      'chat.pairs-sampling-unbounded',
      'temperature may have any size beside top_p',
      'CHAT-049',
      'refused-beside-other-sampling',
    ],
    inRequests((body) => {
      if (typeof body.top_p === 'number' && typeof body.temperature === 'number')
        body.temperature = Math.max(0, Math.min(2, body.temperature));
    }),
  ),
  front(
    [
      'chat.pairs-streams-lenient',
      'a streamed request with five stops is served with the first four',
      'CHAT-049',
      'refused-in-any-company',
    ],
    inRequests((body) => {
      const { stream, stop } = body;
      if (stream === true && Array.isArray(stop) && stop.length === 5) body.stop = stop.slice(0, 4);
    }),
  ),
];
