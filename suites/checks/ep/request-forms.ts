import { defineCheck } from '../../engine/check.ts';
import { textOf } from '../../oracle/native/view.ts';
import { must } from '../../rules/violation.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { wayLabel } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** Spellings of the one media type: for JSON, parameters and case mean nothing (RFC 9110, RFC 8259). */
const mediaTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
] as const;

export const jsonByEveryName = defineCheck({
  id: 'ep.json.media-type',
  title: 'on every endpoint a body is taken as JSON whatever parameters and case its media type has',
  requirements: ['EP-003'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const way of await waysOf(parts))
      for (const type of mediaTypes) {
        parts.cases.count();
        const options = {
          label: `${wayLabel(way)}, Content-Type: ${type}`,
          headers: { 'content-type': type },
        };
        const exchange = await way.send(parts, way.body(parts.newScene()), options);
        way.judgeServed(parts, exchange, { requirement: 'EP-003', aspect: 'media-type-accepted' });
      }
  },
});

export const bodyInChunks = defineCheck({
  id: 'ep.json.chunked',
  title: 'a body without a declared length, sent in chunks of any size, is read whole',
  requirements: ['EP-003'],
  kind: 'example',
  needs: [],
  run: async ({ cases, target, newScene, http, judge }) => {
    for (const chunkBytes of [1, 7, 4_096]) {
      cases.count();
      const model = target.anyModel();
      const exchange = await http.chat(newScene().minimal(model, text), {
        label: `in chunks of ${chunkBytes}`,
        chunkBytes,
      });
      judge.completed(exchange, { requirement: 'EP-003', aspect: 'chunked-accepted', model });
    }
  },
});

/** Characters of one to four bytes, combining marks, both directions, and what JSON escapes. */
const text = 'Grüße, 漢字 かな, 🎉👩‍👩‍👧, e\u0301, שלום, "quoted" \\ back\tand\nforth \u2028\u0001';

export const textSurvivesBothWays = defineCheck({
  id: 'ep.json.unicode',
  title: 'text in any script reaches the upstream and comes back unchanged, plain and streamed',
  requirements: ['EP-003'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, http, judge, target } = parts;
    const cases = familyModels(target).flatMap((model) => [false, true].map((stream) => ({ model, stream })));
    for (const { model, stream } of cases) {
      parts.cases.count();
      const scene = newScene();
      await scene.script({ text });
      const body = { ...scene.minimal(model, text), ...(stream ? { stream } : {}) };
      const exchange = await http.chat(body, { label: stream ? 'streamed' : 'plain' });
      const expected = { requirement: 'EP-003', aspect: 'text-back', model };
      const { content } = stream ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
      const report = { requirement: 'EP-003', exchange };
      const actual = JSON.stringify(content);
      must(content === text, { ...report, aspect: 'text-back', expected: JSON.stringify(text), actual });
      const native = await nativeRequest(scene, 'EP-003', exchange);
      const sent = body.messages[0]?.content;
      must(native.view.turns.map(textOf).includes(sent ?? ''), {
        ...report,
        aspect: 'text-there',
        expected: JSON.stringify(sent),
        actual: shown(native),
      });
    }
  },
});
