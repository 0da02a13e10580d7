import { defineCheck } from '../../engine/check.ts';
import { type NativeRequest, withMarker } from '../../generators/compat/native-request.ts';
import { image, lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { judgeArrival } from './arrival.ts';
import { seeingModel } from './message-calls.ts';

const digits =
  '{"n":9007199254740993,"tiny":1e-7,"long":0.1000000000000000055511,"z":{"a":[1.0,-0.5]},"t":"\\u00e9"}';

/** Rounds of tool calls, each with one thing that a translation tends to lose. */
const rounds: readonly (readonly [label: string, request: NativeRequest])[] = [
  [
    'a result as a string',
    round([use('toolu_1', '{"word":"sea"}')], [result('toolu_1', { content: 'Water.' })]),
  ],
  ['a result without content', round([use('toolu_1', '{}')], [result('toolu_1', {})])],
  ['an empty result', round([use('toolu_1', '{}')], [result('toolu_1', { content: '' })])],
  ['a result that is JSON', round([use('toolu_1', '{}')], [result('toolu_1', { content: digits })])],
  [
    'a result in blocks',
    round(
      [use('toolu_1', '{}')],
      [
        result('toolu_1', {
          content: [
            { type: 'text', text: 'One. ' },
            { type: 'text', text: 'Two.' },
          ],
        }),
      ],
    ),
  ],
  [
    'a result with an image',
    round(
      [use('toolu_1', '{}')],
      [result('toolu_1', { content: [{ type: 'text', text: 'See.' }, image()] })],
    ),
  ],
  [
    'a result that is an error',
    round([use('toolu_1', '{}')], [result('toolu_1', { content: 'Not found.', is_error: true })]),
  ],
  ['numbers of many digits', round([use('toolu_1', digits)], [result('toolu_1', { content: 'Yes.' })])],
  [
    'two calls of one name, answered in reverse order',
    round(
      [use('toolu_b', '{"word":"sea"}'), use('toolu_a', '{"word":"sky"}')],
      [result('toolu_a', { content: 'Air.' }), result('toolu_b', { content: 'Water.', is_error: false })],
    ),
  ],
  [
    'thoughts before a call',
    round(
      [use('toolu_1', '{}')],
      [result('toolu_1', { content: 'ok' })],
      [
        { type: 'thinking', thinking: 'Where is it? é 漢', signature: 'c2lnbmF0dXJl+/==' },
        { type: 'redacted_thinking', data: 'aGlkZGVu' },
      ],
    ),
  ],
  ['an id of another form', round([use('call-7_X', '{}')], [result('call-7_X', { content: 'ok' })])],
];

export const toolRoundsArrive = defineCheck({
  id: 'compa.tools.round',
  title: 'tool_use and tool_result blocks of the history reach the upstream unchanged',
  requirements: ['COMPA-006', 'COMPA-005', 'COMPA-021'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    for (const [label, request] of rounds) {
      for (const stream of [false, true]) {
        const scene = parts.newScene();
        const body = withMarker(request, seeingModel(parts.target), scene.marker);
        await judgeArrival(parts, scene, { ...body, ...(stream ? { stream } : {}) }, 'COMPA-006', label);
      }
    }
  },
});

/** One round of calls with their results, and the turn after it. */
function round(
  calls: readonly object[],
  results: readonly object[],
  thoughts: readonly object[] = [],
): NativeRequest {
  const messages = [
    { role: 'user', content: 'What is the sea?' },
    { role: 'assistant', content: [...thoughts, { type: 'text', text: 'I look it up.' }, ...calls] },
    { role: 'user', content: results },
  ];
  const hasImage = JSON.stringify(results).includes('"type":"image"');
  return { members: { max_tokens: 64, tools: [lookUp], messages }, hasImage };
}
