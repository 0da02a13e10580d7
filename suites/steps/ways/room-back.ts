import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { native } from '../../generators/native-answer.ts';
import { hasText } from '../../oracle/text-so-far.ts';
import { processesOf } from '../../profile/calls-at-once.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { must, part } from '../../rules/violation.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { beforeNextTry, freedWithinMs } from '../failures/pass-timeouts.ts';
import { serverFault } from '../failures/routed-call.ts';
import { coreProtocol } from '../protocols/protocol.ts';
import { keepProtocolClosed } from '../protocols/protocol-model.ts';
import { type ChatWay, type Rule, wayLabel } from './way-in.ts';

/** One way for the call in a channel's only slot to end. */
interface Ending {
  readonly title: string;
  readonly reply: (dialect: Dialect, stream: boolean) => Reply;
  /** Whether only a stream can end in this way. */
  readonly streamed?: true;
  /** The client disconnects when the call is at the upstream, or when it has read some text. */
  readonly leaves?: 'early' | 'midway';
  /** Tried on the core path only, because the end is the same on all paths. */
  readonly onCore?: true;
}

const pieces = ['One, ', 'two, ', 'three.'];

const endings: readonly Ending[] = [
  { title: 'a good answer', reply: () => ({}) },
  { title: 'a failure of the upstream', reply: () => serverFault },
  { title: 'a broken connection', reply: () => ({ cut: { after: 'head', by: 'rst' } }) },
  {
    ...{ title: 'an unusable answer', onCore: true },
    reply: () => ({ status: 200, body: '<h1>It works!</h1>' }),
  },
  { title: 'an unknown error', reply: () => ({ status: 418, body: 'short and stout' }), onCore: true },
  { title: 'a prompt that policy blocks', reply: (dialect, stream) => native(dialect).blocked(stream) },
  { title: 'a prompt that is too long', reply: (dialect) => native(dialect).tooLong, onCore: true },
  {
    ...{ title: 'a stream that breaks', streamed: true },
    reply: () => ({ deltas: pieces, cut: { after: 2, by: 'fin' } }),
  },
  { title: 'a client that disconnects early', reply: () => ({ gates: ['head'] }), leaves: 'early' },
  {
    ...{ title: 'a client that disconnects midway', streamed: true, leaves: 'midway' },
    reply: () => ({ deltas: pieces, gates: [1] }),
  },
];

/** Ends calls of a channel with a single slot in every way, and judges that the next call is accepted each time. */
export async function judgeRoomBack(
  parts: CheckParts,
  way: ChatWay,
  dialect: Dialect,
  rule: Rule,
): Promise<void> {
  const hasSeveral = processesOf(parts.target.profile) > 1;
  // A client of an earlier look may just have left, too.
  let leftMs = performance.now();
  for (const ending of endings) {
    if (ending.streamed && !way.stream) continue;
    if (ending.onCore && way.protocol !== coreProtocol) continue;
    await part(async () => {
      parts.cases.count();
      await keepProtocolClosed(parts, way);
      await end(parts, way, dialect, ending);
      if (ending.leaves !== undefined) leftMs = performance.now();
      // Each process has its own slot: one may have answered since the client left, and the other may still be freeing its own.
      const isGrace = ending.leaves !== undefined || hasSeveral;
      await judgeFree(parts, way, ending, { rule, until: isGrace ? leftMs + freedWithinMs : 0 });
    });
  }
}

async function end(
  { newScene, judge, ...parts }: CheckParts,
  way: ChatWay,
  dialect: Dialect,
  { title, reply, leaves }: Ending,
): Promise<void> {
  const scene = newScene();
  await scene.script(reply(dialect, way.stream));
  const label = `${wayLabel(way)}, ${way.model}: ${title}`;
  const live = way.open(parts, way.body(scene), { label });
  if (leaves !== undefined) {
    const isHeld = await scene.held(1);
    if (!isHeld) judge.note(`${label}: not held at the upstream`);
    if (leaves === 'midway' && isHeld && !(await live.until(hasText, 1_000)))
      judge.note(`${label}: no text has come`);
    live.abort();
  }
  await live.done;
}

/** An ended call has freed its slot: at once, or soon after its client disconnected. */
async function judgeFree(
  parts: CheckParts,
  way: ChatWay,
  { title }: Ending,
  { rule, until }: { readonly rule: Rule; readonly until: number },
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    parts.cases.signal.throwIfAborted();
    const label = `${wayLabel(way)}, ${way.model}, after ${title}`;
    const exchange = await way.open(parts, way.body(parts.newScene()), { label }).done;
    if (!isSuccess(exchange) && performance.now() < until) {
      await beforeNextTry(parts, tries);
      continue;
    }
    return must(isSuccess(exchange), {
      ...{ ...rule, exchange },
      expected: `an answer after a previous call that ended in ${title}`,
      actual: `HTTP ${exchange.response?.status ?? 'without an answer'}`,
    });
  }
}
