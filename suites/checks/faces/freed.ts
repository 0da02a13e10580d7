import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { patiently } from '../../steps/failures/patiently.ts';
import { keepProtocolClosed } from '../../steps/protocols/keep-protocol-closed.ts';
import {
  compatOf,
  type ProtocolModel,
  protocolModelsOf,
  streamsOn,
} from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { holdProtocols, type Rule } from './held-protocols.ts';

/** One way for a call to end, on any protocol. */
interface Ending {
  readonly name: string;
  readonly stream: boolean;
  readonly end: (parts: CheckParts, protocolModel: ProtocolModel, rule: Rule) => Promise<void>;
}

const endings: readonly Ending[] = [
  {
    name: 'success',
    stream: false,
    end: (parts, protocolModel, rule) => complete(parts, protocolModel, rule, false),
  },
  {
    name: 'stream-end',
    stream: true,
    end: (parts, protocolModel, rule) => complete(parts, protocolModel, rule, true),
  },
  {
    name: 'refusal',
    stream: false,
    end: async ({ newScene, http, judge }, { protocol, model }, rule) => {
      const body = protocol.body(newScene(), { model });
      const empty = { ...body, [protocol.name === 'compat-b' ? 'contents' : 'messages']: [] };
      const exchange = await protocol.open(http, model, empty, { label: `${protocol.name}, nothing is said` })
        .done;
      judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    },
  },
  {
    name: 'upstream-failure',
    stream: false,
    end: async (parts, protocolModel, rule) => {
      const { newScene, http, judge } = parts;
      const { protocol, model } = protocolModel;
      await keepProtocolClosed(parts, protocolModel);
      const scene = newScene();
      await scene.script({ status: 418, body: 'short and stout' });
      const body = protocol.body(scene, { model });
      const exchange = await protocol.open(http, model, body, {
        label: `${protocol.name}, a failing upstream`,
      }).done;
      judge.refused(exchange, { ...rule, codes: ['upstream_error', 'channel_outage'] });
    },
  },
  {
    name: 'stream-break',
    stream: true,
    end: async (parts, protocolModel) => {
      const { protocol, model } = protocolModel;
      await keepProtocolClosed(parts, protocolModel);
      const scene = parts.newScene();
      await scene.script({ deltas: ['one ', 'two ', 'three'], cut: { after: 2, by: 'fin' } });
      const body = protocol.body(scene, { model });
      // Another check judges how the failure is reported.
      await protocol.open(parts.http, model, body, {
        label: `${protocol.name}, a stream that breaks`,
        stream: true,
      }).done;
    },
  },
  {
    name: 'abort-waiting',
    stream: false,
    end: (parts, protocolModel, rule) => leave(parts, protocolModel, rule, false),
  },
  {
    name: 'abort-streaming',
    stream: true,
    end: (parts, protocolModel, rule) => leave(parts, protocolModel, rule, true),
  },
];

/** One check for each way to end: however often it happens on a compat path, the whole cap is free afterwards. */
export const freedChecks: readonly Check[] = endings.map((ending) =>
  defineCheck({
    id: `faces.freed.after-${ending.name}`,
    title: `compat path calls free their slots for every path after ${ending.name.replace('-', ' ')}`,
    requirements: ['LIM-003'],
    kind: 'concurrency',
    needs: ['upstream.control'],
    run: (parts) => judgeEnding(parts, ending),
  }),
);

async function judgeEnding(parts: CheckParts, { name, stream, end }: Ending): Promise<void> {
  const rule = { requirement: 'LIM-003', aspect: `freed-after-${name}` };
  const cap = parts.target.profile.cap.value;
  const isAbort = name.startsWith('abort');
  const facings = protocolModelsOf(parts);
  for (const { protocol, models } of compatOf(parts)) {
    if (stream && !(await streamsOn(parts, { protocol, model: models[0] }))) continue;
    for (let round = 0; round <= cap; round += 1) {
      parts.cases.count();
      const protocolModel = { protocol, model: models[round % models.length] ?? models[0] };
      await (isAbort
        ? patiently(parts, () => end(parts, protocolModel, rule))
        : end(parts, protocolModel, rule));
    }
    const calls = Array.from({ length: cap }, (_, index) => facings[index % facings.length])
      .filter((protocolModel) => protocolModel !== undefined)
      .map((protocolModel) => ({ ...protocolModel, stream: false }));
    const all = (): Promise<void> => holdProtocols(parts, calls, rule).then((held) => held.finish());
    await (isAbort ? patiently(parts, all) : all());
  }
}

async function complete(
  { newScene, http, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
  rule: Rule,
  stream: boolean,
): Promise<void> {
  const body = protocol.body(newScene(), { model });
  const exchange = await protocol.open(http, model, body, { label: `${protocol.name}, served`, stream }).done;
  readSaid(judge, protocol, exchange, { ...rule, model, stream });
}

/** Disconnects a client once its call is held upstream. */
async function leave(
  { newScene, http }: CheckParts,
  { protocol, model }: ProtocolModel,
  rule: Rule,
  stream: boolean,
): Promise<void> {
  const scene = newScene();
  await scene.script({ text: 'one two', deltas: ['one ', 'two'], gates: [stream ? 1 : 'head'] });
  const body = protocol.body(scene, { model });
  const live = protocol.open(http, model, body, {
    label: `${protocol.name}, a client that disconnects`,
    stream,
  });
  const held = scene.held(1).catch(() => false);
  const begun = (await Promise.race([held, live.done.then(() => false)])) && (!stream || (await said(live)));
  live.abort();
  const exchange = await live.done;
  const expected = 'a call that is held at the upstream';
  must(begun, { ...rule, expected, actual: 'it is answered or never arrives', exchange });
  await scene.ended(1);
}

function said(live: {
  until(enough: (text: string) => boolean, withinMs: number): Promise<boolean>;
}): Promise<boolean> {
  return live.until((text) => text.includes('one '), 5_000);
}
