import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { jsonValue } from '../../generators/json-value.ts';
import { chatFields } from '../../oracle/chat-fields.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const listed = chatFields.map((field) => field.name);

/** Fields that no chat request has: random names, misspellings, and names that trip up lookups. */
const unknownName: fc.Arbitrary<string> = fc
  .oneof(
    fc.stringMatching(/^zz_[a-f0-9]{8}$/),
    fc.constantFrom(
      'Temperature',
      'maxTokens',
      'max-tokens',
      'messages ',
      'tool-choice',
      'modle',
      'n_tokens',
      'prompt',
      'functions',
    ),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a.b', 'a b', 'é'),
  )
  .filter((name) => !listed.includes(name));

/**
 * Fields of the common schema that the specification does not list: a gateway may accept or cleanly reject them (reading
 * B-11).
 */
const commonExtras: readonly [string, unknown, Record<string, unknown>?][] = [
  ['n', 1],
  ['frequency_penalty', 0],
  ['presence_penalty', 0],
  ['logprobs', false],
  ['parallel_tool_calls', true],
  ['max_completion_tokens', 64],
  ['stream_options', { include_usage: true }, { stream: true }],
  ['store', false],
  ['webhook_url', 'https://hooks.example.com/x'],
];

export const unknownRefused = defineCheck({
  id: 'chat.unknown-field.refused',
  title: 'an unknown request field is refused by name, or treated as the deployment declares',
  requirements: ['CHAT-048', 'CHAT-049'],
  kind: 'property',
  needs: [],
  run: async ({ cases, target, newScene, http, judge }) => {
    await cases.forAll(
      fc.tuple(unknownName, fc.oneof(fc.constantFrom(1, 'x', true, null), jsonValue)),
      async ([name, value]) => {
        const model = target.anyModel();
        const minimal = JSON.stringify(newScene().minimal(model));
        const text = `${minimal.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        const exchange = await http.chat(text, { label: `with ${name}` });
        judgeUnknown(judge, exchange, { name, model, declared: target.profile.chat.unknown_fields });
      },
      {
        quick: 20,
        full: 800,
        examples: [
          ['zz_unknown', 1],
          ['__proto__', { a: 1 }],
          ['constructor', 'x'],
        ],
      },
    );
  },
});

export const extrasAreClean = defineCheck({
  id: 'chat.unknown-field.common-extras',
  title: 'members of the common schema beyond the listed ones are accepted or refused, but cleanly',
  requirements: ['CHAT-048'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    const model = target.anyModel();
    for (const [name, value, beside] of commonExtras) {
      cases.count();
      const body = { ...newScene().minimal(model), ...beside, [name]: value };
      const exchange = await http.chat(body, { label: `${name} = ${JSON.stringify(value)}` });
      judge.note(`${isSuccess(exchange) ? 'accepts' : 'refuses'} ${name}`);
      const rule = { requirement: 'CHAT-048', aspect: 'clean-either-way' };
      if (!isSuccess(exchange)) judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: name });
      else if (beside) judge.streamed(exchange, { ...rule, model });
      else judge.completed(exchange, { ...rule, model });
    }
  },
});

interface UnknownCase {
  readonly name: string;
  readonly model: string;
  readonly declared: 'reject' | 'ignore' | 'forward' | undefined;
}

function judgeUnknown(judge: Judge, exchange: Exchange, { name, model, declared }: UnknownCase): void {
  const rule = { requirement: 'CHAT-048', aspect: 'unknown-as-declared' };
  const accepted = isSuccess(exchange);
  if (declared === 'reject' || (declared === undefined && !accepted)) {
    // A name may have a dot, which reads like a path, so only the whole name counts.
    const { param } = judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    if (param !== name) judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: name });
  } else {
    judge.completed(exchange, { ...rule, model });
  }
}
