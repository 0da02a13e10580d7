import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { unknownModelId } from '../../generators/unknown-model-id.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { mediaModel, mediaModels } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import { judgeOtherKind } from '../../steps/media/odd-parents.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';
import { type Exchange, excerpt, jsonOf } from '../../wire/exchange.ts';

const brokenBodies: readonly string[] = [
  '{"model": ',
  '',
  '[{"model": "vidB2"}]',
  '"vidB2"',
  'null',
  '17',
  'model=vidB2',
];

/** The time limit for a submission, ms: far below the time of any job. */
const promptMs = 5_000;

export const modelIsRequired = defineCheck({
  id: 'task.model.required',
  title: 'a task whose model is missing or not a string is refused with param model',
  requirements: ['TASK-002'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, cases, tasks, judge, target } = parts;
    const own = anyTaskModel(target);
    const twin = await twinOf(parts, own);
    const { model: _, ...without } = newScene().minimalMedia(own);
    const wrong = [5, false, [own], { id: own }].map((model) => ({ ...without, model }));
    for (const body of [without, ...wrong]) {
      cases.count();
      const exchange = await tasks.submit(body, { label: `model ${JSON.stringify(Object(body).model)}` });
      const rule = { requirement: 'TASK-002', aspect: 'model-required', paramRule: 'TASK-002', twin };
      judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'model' });
    }
    for (const model of ['', null]) {
      const exchange = await tasks.submit({ ...without, model }, { label: `model ${JSON.stringify(model)}` });
      const codes: ErrorCode[] = ['invalid_param', 'model_not_found'];
      judge.refused(exchange, { requirement: 'TASK-002', aspect: 'model-required', codes, twin });
    }
  },
});

export const unknownIds = defineCheck({
  id: 'task.model.unknown',
  title: 'an unknown model id is answered 404 model_not_found at the task endpoint',
  requirements: ['TASK-002'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const { newScene, cases, tasks, judge, target } = parts;
    const own = anyTaskModel(target);
    const twin = await twinOf(parts, own);
    const body = newScene().minimalMedia(own);
    await cases.forAll(
      unknownModelId,
      async (model) => {
        const label = `model ${JSON.stringify(model).slice(0, 60)}`;
        const exchange = await tasks.submit({ ...body, model }, { label });
        const rule = { requirement: 'TASK-002', aspect: 'unknown-id', twin };
        judge.refused(exchange, { ...rule, codes: ['model_not_found'] });
      },
      { quick: 12, full: 300, examples: ['constructor', '__proto__', 'vidB3', 'VIDB2'] },
    );
  },
});

export const otherKinds = defineCheck({
  id: 'task.model.other-kind',
  title: 'chat and synchronous image models are refused at the task endpoint and reach no upstream',
  requirements: ['TASK-003'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, cases, tasks, target, judge } = parts;
    const twin = await twinOf(parts, anyTaskModel(target));
    const scene = newScene();
    const others = [
      ...chatCatalogue.map(({ id }) => id),
      ...mediaModels.filter(({ endpoint }) => endpoint === 'images').map(({ id }) => id),
    ];
    await Promise.all(
      target
        .few(others, (id) => mediaModel(id)?.endpoint ?? 'chat')
        .map(async (model) => {
          cases.count();
          const body = { model, prompt: scene.prompt() };
          const exchange = await tasks.submit(body, { label: model });
          judgeOtherKind(judge, exchange, { requirement: 'TASK-003', aspect: 'task-models-only', twin });
        }),
    );
    if (target.profile.upstream === undefined) return;
    const arrived = await scene.requestsNow();
    const rule = { requirement: 'TASK-003', aspect: 'no-upstream-call', twin };
    const expected = 'no refused request at an upstream';
    const actual = arrived.map(({ entry }) => entry.request.path).join(', ');
    must(arrived.length === 0, { ...rule, expected, actual });
  },
});

export const bodyIsAnObject = defineCheck({
  id: 'task.body.object',
  title: 'a task body that is not a JSON object is refused with 400 in the error shape',
  requirements: ['TASK-021'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, tasks, judge, target } = parts;
    const twin = await twinOf(parts, anyTaskModel(target));
    for (const body of target.few(brokenBodies)) {
      cases.count();
      const exchange = await tasks.submit(body, { label: `body ${JSON.stringify(body)}` });
      const rule = { requirement: 'TASK-021', aspect: 'no-object', twin };
      judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    }
  },
});

export const validatedAtSubmission = defineCheck({
  id: 'task.body.validated',
  title: 'an invalid body gets its 400 at submission: no task_id and no upstream job',
  requirements: ['TASK-006'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, cases, tasks, judge, target } = parts;
    const scene = newScene();
    for (const model of target.few(oneOfEachKind(target))) {
      const twin = await twinOf(parts, model);
      const good = scene.minimalMedia(model);
      const { prompt: _, ...without } = good;
      for (const body of [without, { ...good, prompt: 5 }, { ...good, no_such_field: 'x' }]) {
        cases.count();
        const exchange = await tasks.submit(body, { label: `${model}, an invalid body` });
        const rule = { requirement: 'TASK-006', aspect: 'refused-at-once', twin };
        judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
        const { task_id: taskId } = (jsonOf(exchange) ?? {}) as { task_id?: unknown };
        const none = { ...rule, aspect: 'no-task-id', expected: 'no task_id beside an error', exchange };
        must(taskId === undefined, { ...none, actual: excerpt(exchange, 160) });
      }
    }
    if (target.profile.upstream === undefined) return;
    const arrived = await scene.requestsNow();
    const rule = { requirement: 'TASK-006', aspect: 'no-job' };
    const actual = arrived.map(({ text }) => text.slice(0, 120)).join(', ');
    must(arrived.length === 0, { ...rule, expected: 'no job at an upstream', actual });
  },
});

export const idsAreDistinct = defineCheck({
  id: 'task.id.distinct',
  title: 'identical submissions, sequential or concurrent, become separate tasks',
  requirements: ['TASK-010'],
  kind: 'metamorphic',
  needs: [],
  run: async ({ newScene, cases, tasks, target, webhooks }) => {
    const scene = newScene();
    const plain = scene.minimalMedia(anyTaskModel(target));
    // Clients often repeat one webhook_url, because all tasks report to one URL.
    const body = { ...plain, webhook_url: webhooks.anyUrl(scene.marker) };
    const submit = async (label: string): Promise<{ id: string; exchange: Exchange }> => {
      cases.count();
      const exchange = await tasks.submit(body, { label });
      const rule = { requirement: 'TASK-010', aspect: 'accepts-again' };
      return { id: tasks.accepted(exchange, rule).taskId, exchange };
    };
    const first = await submit('the first of all');
    const others = await Promise.all(
      Array.from({ length: target.size === 'smoke' ? 2 : 7 }, (_, index) => submit(`the same, ${index + 2}`)),
    );
    const again = others.find(
      ({ id }, index) => id === first.id || others.findIndex((other) => other.id === id) < index,
    );
    const own = { requirement: 'TASK-010', twin: first.exchange };
    const distinct = { ...own, aspect: 'distinct-ids', exchange: again?.exchange };
    const expected = 'a task_id that no other submission was given';
    must(again === undefined, { ...distinct, expected, actual: again?.id ?? '' });
    if (target.profile.upstream === undefined) return;
    const total = 1 + others.length;
    const jobs = (await scene.jobs(total)).length;
    const each = { ...own, aspect: 'job-each', expected: `${total} jobs at the upstream` };
    must(jobs === total, { ...each, actual: String(jobs) });
  },
});

export const answersAtOnce = defineCheck({
  id: 'task.submit.at-once',
  title: 'a submission is answered at once, even if the upstream hangs or the job never ends',
  requirements: ['TASK-013', 'STATE-003'],
  kind: 'timing',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, tasks, target }) => {
    const slow = [
      { label: 'an upstream that never answers', reply: { hang: 'head' } },
      { label: 'a job that never begins', reply: { job: { hold: 'queued' } } },
      { label: 'a job that never ends', reply: { job: { hold: 'running' } } },
    ] as const;
    for (const model of oneOfEachKind(target)) {
      for (const { label, reply } of slow) {
        cases.count();
        const scene = newScene();
        await scene.script(reply);
        const exchange = await tasks.submit(scene.minimalMedia(model), { label: `${model}, ${label}` });
        tasks.accepted(exchange, { requirement: 'TASK-013', aspect: 'accepted-at-once' });
        const tookMs = exchange.response?.endMs ?? 0;
        const rule = { requirement: 'TASK-013', aspect: 'answers-at-once', exchange };
        const expected = `an answer within ${promptMs} ms`;
        must(tookMs < promptMs, { ...rule, expected, actual: `after ${Math.round(tookMs)} ms` });
      }
    }
  },
});

async function twinOf({ tasks, newScene }: CheckParts, model: string): Promise<Exchange> {
  const twin = await tasks.submit(newScene().minimalMedia(model), { label: 'positive twin' });
  tasks.accepted(twin);
  return twin;
}
