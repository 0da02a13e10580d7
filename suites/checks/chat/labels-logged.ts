import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { usageRecordsOf, usageRecordsWhere } from '../../engine/usage-record.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { routesOf, serverFault } from '../../steps/failures/routed-call.ts';
import { judgeLabels } from '../../steps/money/logged-labels.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** How a call gets its answer. Channels that fail leave it to a declared fallback. */
interface Course {
  readonly label: string;
  readonly model: string;
  readonly failsOnce: boolean;
  readonly failing: readonly string[];
}

/** Text that JSON escapes, control characters that storage may reserve, and text that resembles an escape. */
const oddCharacters = '\u0001\u001a001a\u001f\u007f\t\r\n"\\" \\u0041 %00 \u2028\ufeff';

export const labelsAreLoggedEveryWay: Check = defineCheck({
  id: 'chat.labels.every-way',
  title: 'user and metadata are in the usage log whichever dialect, attempt or fallback served the request',
  requirements: ['CHAT-042', 'CHAT-047'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.usage'],
  run: async (parts) => {
    for (const course of coursesOf(parts))
      for (const stream of [false, true]) await part(() => judgeLogged(parts, course, stream));
  },
});

function coursesOf({ target }: CheckParts): Course[] {
  const plain = dialectModels(target).flatMap((model) =>
    [false, true].map((failsOnce) => {
      return { label: failsOnce ? 'once failed' : 'served at once', model, failsOnce, failing: [] };
    }),
  );
  const fallen = routesOf(target, 'fallback').slice(0, 1);
  return [
    ...plain,
    ...fallen.map(({ model, channels }) => {
      return { label: 'fallen back', model, failsOnce: false, failing: channels.map(({ name }) => name) };
    }),
  ];
}

/** Labels as long as may be. The value of 64 characters has twice as many UTF-16 units in one of the two forms. */
function labelsOf(marker: string, isWide: boolean): { user: string; project: string } {
  const filler = isWide ? '🌊' : 'x';
  return {
    user: `user ${marker} ${filler.repeat(120)}`,
    project: `${marker}${filler.repeat(64 - marker.length)}`,
  };
}

async function judgeLogged(
  parts: CheckParts,
  { label, model, failsOnce, failing }: Course,
  stream: boolean,
): Promise<void> {
  const { cases, newScene, http, judge, target } = parts;
  cases.count();
  const scene = newScene();
  const good = { text: 'It is noted.' };
  if (failsOnce || failing.length > 0) await keepClosed(parts, model);
  await scene.script(...(failsOnce ? [serverFault, good] : [good]));
  for (const channel of failing) await scene.scriptOn(channel, serverFault);
  const { user, project } = labelsOf(scene.marker, stream);
  const metadata = { project, empty: '', [`${oddCharacters} as key`]: `${oddCharacters} as value` };
  const labels = { user, metadata, ...(stream ? { stream } : {}) };
  const exchange = await http.chat({ ...scene.minimal(model), ...labels }, { label: `${label}, ${model}` });
  // Other checks judge whether the gateway retries or has a fallback.
  if (!isSuccess(exchange)) {
    judge.note(`${label}: not served`);
    return;
  }
  const [record] = await usageRecordsOf(exchange, target.profile);
  if (record?.end_user === undefined) throw new Untestable('hooks.usage with end_user and metadata');
  judgeLabels(record, { user, metadata }, exchange);
  const found = await usageRecordsWhere({ 'metadata.project': project }, target.profile);
  flag(
    found.some(({ request_id: id }) => id === record.request_id),
    {
      ...{ requirement: 'CHAT-047', aspect: 'found-every-way', exchange },
      expected: `the request to ${model}, ${label}, among those with its metadata`,
      actual: `${found.length} others`,
    },
  );
}
