import fc from 'fast-check';
import { referenceVersion } from '../../engine/compat-request.ts';
import { nativeRequests, withMarker } from '../../generators/compat/native-request.ts';
import { image, lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { withValue } from './body-tree.ts';
import { fieldsIn } from './fields-of.ts';
import { KnownValues, messagesValues } from './known-values.ts';
import { type Body, keySlot, type Subject } from './subject.ts';

const prompt = 'Tell me about the sea in five words.';
const known = new KnownValues(messagesValues);
const hint = { type: 'ephemeral', ttl: '1h' };

/** Compat path A with one of its models. */
export function messagesSubject(model: string): Subject {
  const least: Body = { model, max_tokens: 16, messages: [{ role: 'user', content: prompt }] };
  const whole = [richBody(model), { ...least, stream: true, top_p: 0.5, system: 'Be brief.' }];
  return {
    ...{ endpoint: 'messages', model, least, whole, known, streams: true },
    fields: fieldsIn(whole, [...new Set(messagesValues.map(({ field }) => field))], known),
    draw: (seed) => {
      const [request] = fc.sample(nativeRequests, { seed, numRuns: 1 });
      return request === undefined ? least : withMarker(request, model, 'fuzz');
    },
    request: (body, _stream) => ({
      method: 'POST',
      path: '/compat-a/v1/messages',
      headers: {
        'x-api-key': keySlot,
        'compat-a-version': referenceVersion,
        'content-type': 'application/json',
      },
      body,
    }),
    sureFault: ([top]) => {
      const name = top === 'messages' ? 'system' : 'messages';
      return (body) => withValue(body, [name], 7) as Body;
    },
  };
}

/** Every member of the protocol that a legal request may have at once. */
function richBody(model: string): Body {
  return {
    model,
    max_tokens: 64,
    system: [{ type: 'text', text: 'Be brief.', cache_control: hint }],
    temperature: 0.5,
    top_k: 5,
    stop_sequences: ['###'],
    metadata: { user_id: 'user-1' },
    tools: [{ ...lookUp, description: 'Looks a word up.', cache_control: hint }],
    tool_choice: { type: 'auto' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?', cache_control: hint },
          image(),
          { type: 'image', source: { type: 'url', url: 'https://media.example.com/files/sea.jpg' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, use('toolu_1', '{"word":"sea"}')] },
      {
        role: 'user',
        content: [result('toolu_1', { content: [{ type: 'text', text: 'Wide.' }], is_error: false })],
      },
      { role: 'assistant', content: 'Wide.' },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
  };
}
