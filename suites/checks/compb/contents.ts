import { defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { namesField } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, formsB, gammaModel, gammaModels, twinB } from './served.ts';

const requirement = 'COMPB-003';

type Contents = (prompt: string) => unknown;

const part = (text: string): object => ({ text });
const turn = (prompt: string): object => ({ role: 'user', parts: [part(prompt)] });

/** Values that no reading accepts as contents, each with one fault, which `param` must name. */
const faults: Readonly<Record<string, Contents>> = {
  'no contents': () => undefined,
  'contents null': () => null,
  'contents a text': (prompt) => prompt,
  'contents a number': () => 5,
  'contents true': () => true,
  'contents that is one turn, not an array': turn,
  'contents empty': () => [],
  'a turn that is null': (prompt) => [turn(prompt), null],
  'a turn that is a text': (prompt) => [prompt],
  'a turn that is a number': (prompt) => [5, turn(prompt)],
  'a turn that is a list': (prompt) => [[turn(prompt)]],
  'a role that is a number': (prompt) => [{ role: 5, parts: [part(prompt)] }],
  'a role that is an object': (prompt) => [{ role: {}, parts: [part(prompt)] }],
  'role assistant': (prompt) => [turn(prompt), { role: 'assistant', parts: [part('Yes.')] }, turn(prompt)],
  'role system': (prompt) => [{ role: 'system', parts: [part('Be brief.')] }, turn(prompt)],
  'role User': (prompt) => [{ role: 'User', parts: [part(prompt)] }],
  'parts a text': (prompt) => [{ role: 'user', parts: prompt }],
  'parts that is one part, not an array': (prompt) => [{ role: 'user', parts: part(prompt) }],
  'parts a number': (prompt) => [turn(prompt), { role: 'user', parts: 5 }],
  'content instead of parts': (prompt) => [{ role: 'user', content: prompt }],
  'a part that is a text': (prompt) => [{ role: 'user', parts: [prompt] }],
  'a part that is a number': (prompt) => [{ role: 'user', parts: [part(prompt), 7] }],
  'a part that is a list': (prompt) => [{ role: 'user', parts: [[part(prompt)]] }],
  'a text that is a number': (prompt) => [{ role: 'user', parts: [part(prompt), { text: 5 }] }],
  'a text that is an object': (prompt) => [{ role: 'user', parts: [{ text: { value: prompt } }] }],
  'a text that is a list': (prompt) => [{ role: 'user', parts: [{ text: [prompt] }] }],
  'a text that is true': (prompt) => [turn(prompt), { role: 'model', parts: [{ text: true }] }, turn(prompt)],
};

/** Values that the protocol might read as an omission: refused with any `param`. */
const doubtful: Readonly<Record<string, Contents>> = {
  'no role': (prompt) => [{ parts: [part(prompt)] }],
  'a role that is null': (prompt) => [{ role: null, parts: [part(prompt)] }],
  'parts empty': (prompt) => [turn(prompt), { role: 'user', parts: [] }],
  'no parts': (prompt) => [turn(prompt), { role: 'user' }],
  'parts null': (prompt) => [turn(prompt), { role: 'user', parts: null }],
  'a part with nothing in it': (prompt) => [{ role: 'user', parts: [part(prompt), {}] }],
  'a part that is null': (prompt) => [{ role: 'user', parts: [part(prompt), null] }],
  'a text that is null': (prompt) => [{ role: 'user', parts: [part(prompt), { text: null }] }],
};

export const malformedAreRefused = defineCheck({
  id: 'compb.contents.malformed',
  title: 'missing or malformed contents are answered 400 invalid_param that names contents',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    const model = gammaModel(target);
    const twin = await twinB(parts, model);
    const forms = await formsB(parts);
    for (const [label, contents] of Object.entries(faults)) {
      for (const stream of forms) {
        cases.count();
        const body = bodyOf(contents(newScene().prompt()));
        const exchange = await http.compatB(model, body, { stream, label });
        const codes = ['invalid_param'] as const;
        const { param } = refusedB(judge, exchange, { requirement, aspect: 'contents-refused', codes, twin });
        must(namesField(param, 'contents'), {
          requirement,
          aspect: 'contents-named',
          expected: 'param naming contents',
          actual: `param ${JSON.stringify(param)}`,
          exchange,
          twin,
        });
      }
    }
    for (const [label, contents] of Object.entries(doubtful)) {
      cases.count();
      const exchange = await http.compatB(model, bodyOf(contents(newScene().prompt())), { label });
      if (isSuccess(exchange)) {
        judge.note(`accepted: ${label}`);
        continue;
      }
      const codes = ['invalid_param', 'upstream_error'] as const;
      refusedB(judge, exchange, { requirement, aspect: 'doubtful-clean', codes, twin });
    }
  },
});

export const wholeFormsWork = defineCheck({
  id: 'compb.contents.legal',
  title: 'contents of one turn or many, of one part or many, are accepted on both models',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ cases, http, newScene, target, judge }) => {
    const answered = { role: 'model', parts: [part('The sea is wide.')] };
    const forms: Readonly<Record<string, Contents>> = {
      'one turn': (prompt) => [turn(prompt)],
      'three turns': (prompt) => [turn('Hello.'), answered, turn(prompt)],
      'several parts': (prompt) => [{ role: 'user', parts: [part('Look:'), part(' '), part(prompt)] }],
      'two turns of the user in a row': (prompt) => [turn('Hello.'), turn(prompt)],
      'a long conversation': (prompt) => [
        ...Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? turn(`Question ${at}.`) : answered)),
        turn(prompt),
      ],
    };
    for (const model of gammaModels(target)) {
      for (const [label, contents] of Object.entries(forms)) {
        cases.count();
        const exchange = await http.compatB(model, bodyOf(contents(newScene().prompt())), { label });
        answeredB(judge, exchange, false, { requirement, aspect: 'contents-accepted', model });
      }
    }
  },
});

export const bodiesThatAreNone = defineCheck({
  id: 'compb.contents.no-object',
  title: 'a body that is not a JSON object is answered 400 invalid_param',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { cases, http, target, judge } = parts;
    const model = gammaModel(target);
    const twin = await twinB(parts, model);
    const bodies = ['[]', '"contents"', '5', 'null', '', '{', '{"contents":[', 'contents=1'];
    for (const body of target.few(bodies)) {
      cases.count();
      const exchange = await http.compatB(model, body, { label: `the body ${JSON.stringify(body)}` });
      const codes = ['invalid_param'] as const;
      refusedB(judge, exchange, { requirement, aspect: 'no-object', codes, twin });
    }
  },
});

function bodyOf(contents: unknown): JsonObject {
  return contents === undefined ? { generationConfig: {} } : { contents };
}
