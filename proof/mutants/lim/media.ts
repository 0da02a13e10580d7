import { clamped, lenient, strict } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

const reading = 'await readBody(exchange)';

const breaking = `await (async () => readBody(exchange))().catch(() => {
      throw new Error('too much');
    })`;
const lengths: readonly Mutant[] = [
  lenient(
    ['lim.figures-clamped', 'what is beyond a limit is the limit', 'LIM-020', 'outside-refused'],
    'journey-v7',
    (body) => clamped(body, 'chaos', 0, 100),
  ),
  strict(
    ['lim.figures-exclusive', 'a limit itself is out of bounds', 'LIM-020', 'inside-accepted'],
    (body) => body.model === 'voice-v3' && body.style === 1,
    'style',
  ),
];

/** Gateways that are wrong about the sizes and lengths of media. */
export const limMediaMutants: readonly Mutant[] = [
  source(
    ['lim.media.chat-breaks', 'a large picture in chat is a fault of the gateway', 'ERR-001', 'in-chat'],
    'endpoints/chat/chat.ts',
    reading,
    breaking,
  ),
  source(
    ['lim.media.task-breaks', 'a large starting image is a fault of the gateway', 'ERR-001', 'in-a-task'],
    'endpoints/tasks/submit.ts',
    reading,
    breaking,
  ),
  ...lengths,
];
