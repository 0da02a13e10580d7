import { defineCheck } from '../../engine/check.ts';
import { type NativeRequest, withMarker } from '../../generators/compat/native-request.ts';
import { image, lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { judgeArrival } from './arrival.ts';
import { seeingModel } from './message-calls.ts';

const short = { type: 'ephemeral', ttl: '5m' };
const hour = { type: 'ephemeral', ttl: '1h' };
const plain = { type: 'ephemeral' };

const places = ['tool', 'system', 'user', 'call', 'result', 'assistant', 'image'];

export const hintsArrive = defineCheck({
  id: 'compa.cache.hints',
  title: 'cache hints reach the upstream at the same places and with the same ttl',
  requirements: ['COMPA-007'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const { newScene, target } = parts;
    for (const place of places) {
      for (const hint of [short, hour, plain]) {
        const scene = newScene();
        const body = withMarker(hinted(hint, place), seeingModel(target), scene.marker);
        await judgeArrival(parts, scene, body, 'COMPA-007', `${JSON.stringify(hint)} on ${place}`);
      }
    }
    // Hints with longer lifetimes must come first, and four hints are the maximum.
    for (const marks of [['tool', 'system', 'user', 'image'] as const]) {
      const scene = newScene();
      const first = hinted(hour, marks[0]).members;
      const body = {
        ...withMarker(hinted(short, marks[2]), seeingModel(target), scene.marker),
        tools: first.tools,
        system: hinted(hour, marks[1]).members.system,
      };
      await judgeArrival(parts, scene, body, 'COMPA-007', 'both lifetimes in one request');
    }
  },
});

/** A request with one or more cache hints, at each place that may have one. */
function hinted(hint: object, place: string): NativeRequest {
  const at = (name: string): object =>
    place === name || place === 'everywhere' ? { cache_control: hint } : {};
  const text = (said: string, name: string): object => ({ type: 'text', text: said, ...at(name) });
  const members = {
    max_tokens: 64,
    tools: [
      { ...lookUp, name: 'spell' },
      { ...lookUp, ...at('tool') },
    ],
    system: [{ type: 'text', text: 'Be brief.' }, text('Be kind.', 'system')],
    messages: [
      { role: 'user', content: [text('What is the sea?', 'user'), { type: 'text', text: 'And why?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { ...use('toolu_1', '{}'), ...at('call') },
        ],
      },
      { role: 'user', content: [result('toolu_1', { content: 'Water.', ...at('result') })] },
      { role: 'assistant', content: [text('It is water.', 'assistant')] },
      { role: 'user', content: [{ ...image(), ...at('image') }] },
    ],
  };
  return { members, hasImage: true };
}
