import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';

/** Calls of each form: fifty in all show ids that are too short or come from a clock. */
const callsEach = { smoke: 3, quick: 26, full: 26 };

export const idsAreDistinct = defineCheck({
  id: 'resp.id.distinct',
  title: 'every completion has its own id, also for identical and concurrent requests',
  requirements: ['RESP-001', 'SSE-013'],
  kind: 'concurrency',
  needs: [],
  run: async ({ target, newScene, http, judge, cases }) => {
    const model = target.anyModel();
    const plain = { ...newScene().minimal(model), max_tokens: 16 };
    const ids = new Map<string, string>();
    const one = async (index: number): Promise<void> => {
      const streamed = index % 2 === 1;
      const label = `${streamed ? 'stream' : 'plain'} ${index + 1}`;
      const exchange = await http.chat(streamed ? { ...plain, stream: true } : plain, { label });
      const expected = { requirement: 'RESP-001', aspect: 'accepts-again', model };
      const { id } = streamed ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
      cases.count();
      const earlier = ids.get(id);
      const requirement = streamed && earlier?.startsWith('stream') ? 'SSE-013' : 'RESP-001';
      const rule = { requirement, aspect: 'distinct-ids', exchange };
      const actual = `${id}, the id of ${earlier}`;
      must(earlier === undefined, { ...rule, expected: 'an id that no other completion has', actual });
      ids.set(id, label);
    };
    await Promise.all(Array.from({ length: 2 * callsEach[target.size] }, (_, index) => one(index)));
  },
});
