import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';

/** What one ending judges, and under which rule. */
export interface EndingRule {
  readonly requirement: string;
  readonly aspect: string;
}

/** One way for a request to end; makes a request that ends so. */
export interface Ending {
  readonly name: string;
  readonly title: string;
  readonly end: (parts: CheckParts, model: string, rule: EndingRule) => Promise<void>;
}

const withStream = { stream: true };

/** How long the first text of a stream may take to the client on a busy machine, ms. */
const arrivalMs = 15_000;

export const endings: readonly Ending[] = [
  {
    name: 'success',
    title: 'a plain completion',
    end: async ({ http, newScene, judge }, model, rule) => {
      const exchange = await http.openChat(newScene().minimal(model), { label: 'a plain completion' }).done;
      judge.completed(exchange, { ...rule, model });
    },
  },
  {
    name: 'stream-end',
    title: 'a complete stream',
    end: async ({ newScene, http, judge }, model, rule) => {
      const body = { ...newScene().minimal(model), ...withStream };
      const exchange = await http.openChat(body, { label: 'a whole stream' }).done;
      judge.streamed(exchange, { ...rule, model });
    },
  },
  {
    name: 'refusal',
    title: 'a refused request',
    end: async ({ newScene, http, judge }, model, rule) => {
      const body = { ...newScene().minimal(model), temperature: 9 };
      const exchange = await http.openChat(body, { label: 'a refused request' }).done;
      judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'temperature' });
    },
  },
  {
    name: 'upstream-failure',
    title: 'an upstream failure',
    end: async (parts, model, rule) => {
      const { newScene, http, judge } = parts;
      await keepClosed(parts, model);
      const scene = newScene();
      await scene.script({ status: 418, body: 'short and stout' });
      const exchange = await http.openChat(scene.minimal(model), { label: 'a failing upstream' }).done;
      judge.refused(exchange, { ...rule, codes: ['upstream_error', 'channel_outage'] });
    },
  },
  {
    name: 'upstream-cut',
    title: 'a stream that the upstream cuts off',
    end: async (parts, model, rule) => {
      await keepClosed(parts, model);
      const scene = parts.newScene();
      await scene.script({
        text: 'one two three',
        deltas: ['one ', 'two ', 'three'],
        cut: { after: 2, by: 'rst' },
      });
      const live = parts.http.openChat(
        { ...scene.minimal(model), ...withStream },
        { label: 'a stream cut at the upstream' },
      );
      const exchange = await live.done;
      must(exchange.response !== null && exchange.response.status !== 429, {
        ...rule,
        expected: 'a stream that begins',
        actual: `HTTP ${exchange.response?.status ?? 'none'}`,
        exchange,
      });
    },
  },
  {
    name: 'abort-waiting',
    title: 'a client abort before the upstream answers',
    end: (parts, model, rule) => leave(parts, model, rule, {}),
  },
  {
    name: 'abort-streaming',
    title: 'a client abort in the middle of a stream',
    end: (parts, model, rule) => leave(parts, model, rule, withStream),
  },
];

/** Disconnects a client whose call is held upstream. */
async function leave(
  { newScene, http }: CheckParts,
  model: string,
  rule: EndingRule,
  more: JsonObject,
): Promise<void> {
  const scene = newScene();
  const isStream = more.stream === true;
  await scene.script({ text: 'one two', deltas: ['one ', 'two'], gates: [isStream ? 1 : 'head'] });
  const live = http.openChat({ ...scene.minimal(model), ...more }, { label: 'a client that disconnects' });
  const begun = await Promise.race([arrival(scene, isStream, live), live.done.then(() => false)]);
  live.abort();
  const exchange = await live.done;
  const expected = 'a call that is held at the upstream';
  must(begun, { ...rule, expected, actual: 'it is answered or never arrives', exchange });
  // A gateway may read the upstream to its end first: only the slot is judged.
  await scene.closedWithClient();
}

async function arrival(
  scene: Scene,
  isStream: boolean,
  live: { until(enough: (text: string) => boolean, withinMs: number): Promise<boolean> },
): Promise<boolean> {
  const held = await scene.held(1).catch(() => false);
  return held && (!isStream || (await live.until((text) => /"content":\s*"[^"]/.test(text), arrivalMs)));
}
