import { defineCheck } from '../../../engine/check.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { allOf, asStream } from '../../../generators/native/answer.ts';
import { native } from '../../../generators/native-answer.ts';
import { dialectOf } from '../../../oracle/native/dialects.ts';
import { must } from '../../../rules/violation.ts';
import { dialectModels } from '../../../steps/chat/upstream-view.ts';

const pieces = ['The tide ', 'comes in ', 'twice a day.'];

/** Lines inside an event that are not part of its data. */
const between = [': still here', 'retry: 15000', 'id: 7', 'colonless'];

const lineEnds = ['\n', '\r\n', '\r'];

/** The fault puts comments around one data line only; here the data spans many lines. */
export const eventsOfManyLines = defineCheck({
  id: 'faults.s6.within-events',
  title: 'an event with data on many lines, amid comments and other fields, is read as one',
  requirements: ['SSE-001', 'SSE-020'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const judged = dialectModels(parts.target).map(async (model) => {
      for (const lineEnd of lineEnds) await judgeSpread(parts, model, lineEnd);
    });
    await Promise.all(judged);
  },
});

async function judgeSpread(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  lineEnd: string,
): Promise<void> {
  cases.count();
  const events = allOf(native(dialectOf(model)).stream(pieces)).map((event) => spread(event, lineEnd));
  const scene = newScene();
  await scene.script(asStream(...events));
  const label = `${model}, events of many lines that end in ${JSON.stringify(lineEnd)}`;
  const exchange = await http.openChat({ ...scene.minimal(model), stream: true }, { label }).done;
  const { content } = judge.streamed(exchange, { requirement: 'SSE-001', aspect: 'fault-survived', model });
  must(content === pieces.join(''), {
    requirement: 'SSE-020',
    aspect: 'fault-text',
    expected: JSON.stringify(pieces.join('')),
    actual: JSON.stringify(content),
    exchange,
  });
}

/** The same event with its JSON on many lines, and another line between each two. */
function spread(event: string, lineEnd: string): string {
  const lines = event.trimEnd().split('\n').flatMap(inLines);
  const mixed = lines.flatMap((line, place) =>
    place === 0 ? [line] : [between[place % between.length] ?? '', line],
  );
  return `${mixed.join(lineEnd)}${lineEnd}${lineEnd}`;
}

function inLines(line: string): string[] {
  const data = /^data: (\{.*)$/.exec(line)?.[1];
  if (data === undefined) return [line];
  return JSON.stringify(JSON.parse(data), null, 1)
    .split('\n')
    .map((part) => `data: ${part}`);
}
