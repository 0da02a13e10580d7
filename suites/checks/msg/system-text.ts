import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { extremeTranscripts, longTranscript, withPrompt } from '../../generators/long-transcript.ts';
import { unicodeText } from '../../generators/unicode-text.ts';
import { blockFamilies } from '../../oracle/block-forms.ts';
import { messageFamilies } from '../../oracle/message-forms.ts';
import { systemText } from '../../oracle/native/same-turns.ts';
import { textOf } from '../../oracle/native/view.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { formChecks } from '../../steps/chat/form-checks.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels, nativeModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';

/** One check for each form of messages and content blocks. */
export const messageFormChecks: readonly Check[] = formChecks('msg.form', [
  ...messageFamilies,
  ...blockFamilies,
]);

export const systemTextIsDelivered = defineCheck({
  id: 'msg.system.delivered',
  title: 'the system message reaches the upstream word for word as its system prompt only',
  requirements: ['MSG-006'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (parts) => {
    const models = nativeModels(parts.target);
    const plain = ' Speak like a sailor.\n\nNever mention land. ';
    await parts.cases.forAll(
      fc.record({ model: fc.constantFrom(...models), text: unicodeText, rich: fc.boolean() }),
      ({ model, text, rich }) => judgeSystem(parts, model, text, rich),
      {
        quick: 10,
        examples: models.map((model, index) => ({ model, text: plain, rich: index % 2 === 1 })),
      },
    );
  },
});

/** `rich`: streamed, with tools and earlier turns that the system text could be mixed up with. */
async function judgeSystem(
  { newScene, http, judge }: CheckParts,
  model: string,
  text: string,
  rich: boolean,
): Promise<void> {
  const scene = newScene();
  const system = `Rule ${scene.marker.slice(2)}: ${text}`;
  const before: JsonObject[] = rich
    ? [
        { role: 'user', content: 'Good morning.' },
        { role: 'assistant', content: 'Good morning.' },
      ]
    : [];
  const body = {
    model,
    messages: [{ role: 'system', content: system }, ...before, { role: 'user', content: scene.prompt() }],
    ...(rich ? { tools: threeTools, stream: true } : {}),
  };
  const exchange = await http.chat(body, { label: `a system message on ${model}` });
  const rule = { requirement: 'MSG-006', aspect: 'system-accepted', model };
  if (rich) judge.streamed(exchange, rule);
  else judge.completed(exchange, rule);
  const { view, ...native } = await nativeRequest(scene, 'MSG-006', exchange);
  const own = { requirement: 'MSG-006', exchange, upstream: shown(native) };
  const seen = systemText(view);
  const actual = view.system.length === 0 ? 'no instruction' : JSON.stringify(seen);
  const delivered = { ...own, aspect: 'system-delivered', expected: `instruction ${JSON.stringify(system)}` };
  must(seen === system, { ...delivered, actual });
  const repeated = view.turns.find((turn) => textOf(turn).includes(system.slice(0, 17)));
  const alone = { ...own, aspect: 'system-alone', expected: 'the system text as instruction only' };
  must(repeated === undefined, { ...alone, actual: `also in a turn of role ${repeated?.role}` });
}

export const longTranscriptsAreAccepted: Check = defineCheck({
  id: 'msg.transcript.long',
  title: 'any legal conversation of 1 to 30 messages is accepted on every family',
  requirements: ['MSG-031'],
  kind: 'property',
  needs: [],
  run: async ({ cases, target, newScene, http, judge }) => {
    const models = familyModels(target);
    await cases.forAll(
      fc.record({
        transcript: longTranscript,
        model: fc.constantFrom(...target.models),
        stream: fc.boolean(),
      }),
      async ({ transcript, model, stream }) => {
        const messages = withPrompt(transcript, newScene().prompt());
        const body = { model, messages, tools: threeTools, ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `${messages.length} messages on ${model}` });
        judgeAccepted(judge, body, exchange, { requirement: 'MSG-031', aspect: 'long-talk-accepted' });
      },
      {
        quick: 25,
        full: 800,
        examples: models.flatMap((model) =>
          extremeTranscripts.map((transcript, index) => ({ transcript, model, stream: index === 0 })),
        ),
      },
    );
  },
});
