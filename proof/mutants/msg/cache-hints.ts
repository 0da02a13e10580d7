import { inRequests, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import {
  dropHint,
  hintedAtUpstream,
  hintedIn,
  hintOf,
  hintsTurns,
  honoursHints,
  isHinted,
} from '../../edits/native-edits.ts';

/** Gateways that refuse the cache hints of a message or do not pass them on. */
export const msgHintMutants: readonly Mutant[] = [
  front(
    ['msg.hint-refused', 'a block may have no member but those of its table', 'MSG-029', 'hint-accepted'],
    refuses(isHinted, 'invalid_param', 'messages'),
  ),
  front(
    ['msg.ephemeral-refused', 'type ephemeral is refused', 'MSG-027', 'ephemeral-accepted'],
    refuses((body) => isHinted(body) && hintedIn(body).every((block) => hintOf(block).type === 'ephemeral')),
  ),
  front(
    ['msg.any-hint-type', 'a cache hint may have any type', 'MSG-027', 'other-type'],
    inRequests((body) => {
      for (const block of hintedIn(body)) Object.assign(hintOf(block), { type: 'ephemeral' });
    }),
  ),
  front(
    [
      'msg.hint-without-type-fails',
      'a hint without a type breaks the gateway',
      'MSG-027',
      'clean-either-way',
    ],
    refuses((body) => hintedIn(body).some((block) => hintOf(block).type === undefined), 'internal_error'),
  ),
  front(
    ['msg.hour-refused', 'only five minutes are to be had', 'MSG-028', 'ttl-accepted'],
    refuses((body) => hintedIn(body).some((block) => hintOf(block).ttl === '1h')),
  ),
  front(
    ['msg.any-ttl', 'a life that no slot has becomes an hour', 'MSG-028', 'other-ttl'],
    inRequests((body) => {
      for (const block of hintedIn(body)) {
        const hint = hintOf(block);
        if (typeof hint.ttl === 'string' && hint.ttl !== '5m') hint.ttl = '1h';
      }
    }),
  ),
  front(
    ['msg.ttl-number-fails', 'a ttl that is a number breaks the gateway', 'MSG-028', 'clean-either-way'],
    refuses(
      (body) => hintedIn(body).some((block) => typeof hintOf(block).ttl === 'number'),
      'internal_error',
    ),
  ),
  front(
    [
      'msg.hint-elsewhere-invalid',
      'a hint on another model is an invalid field',
      'MSG-030',
      'clean-either-way',
    ],
    refuses((body) => !honoursHints(body) && isHinted(body), 'invalid_param', 'messages'),
  ),
  upstream(
    ['msg.image-hint-dropped', 'cache hints on images are dropped', 'MSG-029', 'hint-arrives'],
    hintedAtUpstream((block) => {
      if (block.type === 'image') dropHint(block);
    }),
  ),
  upstream(
    ['msg.ttl-lost', 'the ttl of a hint is lost', 'MSG-028', 'one-hour'],
    hintedAtUpstream((block) => {
      delete hintOf(block).ttl;
    }),
  ),
  upstream(
    ['msg.always-an-hour', 'every hint asks for an hour', 'MSG-028', 'five-minutes'],
    hintedAtUpstream((block) => {
      hintOf(block).ttl = '1h';
    }),
  ),
  upstream(
    ['msg.hint-passed-on-elsewhere', 'hints reach upstreams that know none', 'MSG-030', 'not-passed-on'],
    hintsTurns,
  ),
  source(
    [
      'msg.picture-hint-passed-on',
      'hints on images reach upstreams that know none',
      'MSG-030',
      'picture-not-passed-on',
    ],
    'requests/native-body/chat-completions.ts',
    "turn.content.map((block) => without(block, 'cache_control'))",
    "turn.content.map((block) => isObject(block) && block.type !== 'text' ? block : without(block, 'cache_control'))",
  ),
];
