import { defineCheck } from '../../engine/check.ts';
import { halves } from '../../generators/native/answer.ts';
import { hostileTexts } from '../../generators/upstream-text.ts';
import { must } from '../../rules/violation.ts';
import { answeredB, callName, formsB, gammaModels } from './served.ts';

const needs = ['compat.b'] as const;

const withText = {
  requirement: 'COMPB-001',
  aspect: 'answers-with-text',
  expected: 'text in answer to a plain question',
  actual: 'none',
};

export const plainWorks = defineCheck({
  id: 'compb.models.plain',
  title: 'contents alone are enough for a native answer on both gamma models',
  requirements: ['COMPB-001', 'COMPB-010'],
  kind: 'example',
  needs,
  run: async ({ cases, http, newScene, target, judge }) => {
    for (const model of gammaModels(target)) {
      cases.count();
      const exchange = await http.compatB(model, newScene().minimalB(), { label: model });
      const expected = { requirement: 'COMPB-001', aspect: 'served', model };
      const { text } = answeredB(judge, exchange, false, expected);
      must(text !== '', { ...withText, exchange });
    }
  },
});

export const streamWorks = defineCheck({
  id: 'compb.models.streamed',
  title: 'both gamma models stream natively, or refuse streams with a normalised error',
  requirements: ['COMPB-001', 'COMPB-010', 'COMPB-017'],
  kind: 'example',
  needs,
  run: async (parts) => {
    const { cases, http, newScene, target, judge } = parts;
    if ((await formsB(parts)).length === 1) return;
    for (const model of gammaModels(target)) {
      cases.count();
      const label = callName(model, true);
      const exchange = await http.compatB(model, newScene().minimalB(), { stream: true, label });
      const expected = { requirement: 'COMPB-010', aspect: 'stream-served', model };
      const { text } = answeredB(judge, exchange, true, expected);
      must(text !== '', { ...withText, exchange });
    }
  },
});

export const textAsSaid = defineCheck({
  id: 'compb.stream.as-said',
  title: "an answer carries the upstream's text exactly, plain and streamed",
  requirements: ['COMPB-010', 'COMPB-017'],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, judge } = parts;
    const cut = ['It was a dark ', 'and\n\nstormy ', 'night: 🌊 ', ' "why?" ', '\\n data: [DONE]'];
    for (const model of gammaModels(target)) {
      for (const stream of await formsB(parts)) {
        for (const deltas of [cut, ...hostileTexts.map((text) => halves(text))]) {
          cases.count();
          const scene = newScene();
          await scene.script({ deltas: deltas.filter((text) => text !== '') });
          const label = callName(model, stream);
          const exchange = await http.compatB(model, scene.minimalB(), { stream, label });
          const expected = { requirement: 'COMPB-010', aspect: 'accepted', model };
          const { text } = answeredB(judge, exchange, stream, expected);
          must(text === deltas.join(''), {
            requirement: 'COMPB-010',
            aspect: 'text-as-said',
            expected: JSON.stringify(deltas.join('')).slice(0, 2_000),
            actual: JSON.stringify(text).slice(0, 2_000),
            exchange,
          });
        }
      }
    }
  },
});
