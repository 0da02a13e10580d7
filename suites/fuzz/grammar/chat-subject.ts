import fc from 'fast-check';
import { bodyOfLegal, legalChatRequest } from '../../generators/legal-chat-request.ts';
import { wholeChatBody, wholeKinds } from '../../generators/whole-chat-body.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { chatFields } from '../../oracle/chat-fields.ts';
import { createRng } from '../../values/seed.ts';
import { withValue } from './body-tree.ts';
import { fieldsIn } from './fields-of.ts';
import { chatValues, KnownValues } from './known-values.ts';
import { type Body, keySlot, type Subject } from './subject.ts';

const prompt = 'Tell me about the sea in five words.';
const known = new KnownValues(chatValues);

/** Fixes the field table, so that it does not depend on what a run draws. */
const fixedSeed = 1;

/** The chat endpoint with one model of the catalogue. */
export function chatSubject(model: string): Subject {
  const { vision = false, cache = false } = chatModel(model) ?? {};
  const least: Body = { model, messages: [{ role: 'user', content: prompt }], max_tokens: 16 };
  const whole = [
    ...wholeKinds.map((kind) => wholeBody(model, kind, vision === true)),
    ...(cache ? [hinted(least)] : []),
    { ...least, stream: true, user: 'u1' },
  ];
  const legal = legalChatRequest([model]);
  return {
    ...{ endpoint: 'chat', model, least, whole, known, streams: true },
    fields: fieldsIn(
      whole,
      chatFields.map(({ name }) => name),
      known,
    ),
    draw: (seed) => {
      const [request] = fc.sample(legal, { seed, numRuns: 1 });
      return request === undefined ? least : bodyOfLegal(request, prompt);
    },
    request: (body, _stream) => ({
      method: 'POST',
      path: '/api/v1/chat/completions',
      headers: { authorization: `Bearer ${keySlot}`, 'content-type': 'application/json' },
      body,
    }),
    sureFault: ([top]) => (top === 'stop' ? faulty('user') : faulty('stop')),
  };
}

const faulty =
  (name: string) =>
  (body: Body): Body =>
    withValue(body, [name], { not: 'so' }) as Body;

function wholeBody(model: string, kind: (typeof wholeKinds)[number], vision: boolean): Body {
  return wholeChatBody(createRng(fixedSeed, `fuzz ${kind}`), { model, prompt, kind, vision, length: 20 });
}

/** A body with a cache hint, which only some models accept. */
function hinted(least: Body): Body {
  const block = { type: 'text', text: prompt, cache_control: { type: 'ephemeral', ttl: '1h' } };
  return { ...least, messages: [{ role: 'user', content: [block] }] };
}
