import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { TestAccount } from '../../engine/test-accounts.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { everyRefusalFrees, mustHoldNothing } from '../../steps/ways/slot-endings.ts';
import type { WayIn } from '../../steps/ways/way-in.ts';
import { chatWaysOf, mediaWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { list } from './model-list.ts';

export const imagesAreThere = defineCheck({
  id: 'ep.routes.images',
  title: 'images are made at POST /api/v1/images/generations',
  requirements: ['EP-007', 'EP-003'],
  kind: 'example',
  needs: [],
  run: async ({ target, images, newScene }) => {
    const [model] = target.mediaModelsOf('images');
    const exchange = await images.generate(newScene().minimalMedia(model), { label: model });
    images.pictured(exchange, { requirement: 'EP-007', aspect: 'served', form: null });
  },
});

export const tasksAreTaken = defineCheck({
  id: 'ep.routes.submit',
  title: 'tasks are handed in at POST /api/v1/tasks',
  requirements: ['EP-008', 'EP-003'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const exchange = await submit(parts);
    parts.tasks.accepted(exchange, { requirement: 'EP-008', aspect: 'served' });
  },
});

export const tasksAreRead = defineCheck({
  id: 'ep.routes.read',
  title: 'a task is read at GET /api/v1/tasks/{task_id}, and a path below that does not exist',
  requirements: ['EP-009', 'EP-003'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { tasks, http } = parts;
    const submitted = await submit(parts);
    const { taskId } = tasks.accepted(submitted, { requirement: 'EP-008', aspect: 'served' });
    const read = await tasks.read(taskId, { label: 'read a task' });
    tasks.record(read, taskId, { requirement: 'EP-009', aspect: 'served', twin: submitted });
    const below = await http.get('/api/v1/tasks/task_of_nobody/results', { label: 'a path below a task' });
    judgeOpenRefusal(below, { requirement: 'EP-009', aspect: 'nothing-below', statuses: [404], twin: read });
  },
});

function submit({ target, tasks, newScene }: CheckParts): Promise<Exchange> {
  const models = target.mediaModelsOf('tasks');
  // Prefers a model that needs only a text.
  const model = models.find((id) => id === 'vidB2') ?? models[0];
  return tasks.submit(newScene().minimalMedia(model), { label: model });
}

const requirement = 'EP-012';

/** An account without one model of each media endpoint, which then gets them. */
export const mediaModelsAreTheAccounts = defineCheck({
  id: 'ep.models.media',
  title: 'an image or task model not enabled for the account is neither listed nor usable until it is',
  requirements: [requirement, 'EP-018', 'ERR-023', 'LIM-004'],
  kind: 'example',
  needs: ['hooks.accounts', 'upstream.control'],
  run: async (parts) => {
    const { accounts, target, newScene } = parts;
    const ways = mediaWaysOf(parts);
    if (ways.length === 0) throw new Untestable('models.enabled with a model of images or tasks');
    const all = [...target.models, ...target.mediaModels];
    const missing = ways.map(({ model }) => model);
    const account = await accounts.create({ models: all.filter((id) => !missing.includes(id)) });
    for (const way of ways) await part(() => judgeMissing(parts, way, account));
    await part(() => judgeUnlisted(parts, missing, account));
    await part(() => judgeNone(parts, ways));
    await account.change({ models: all });
    await part(() => judgeListed(parts, missing, account));
    for (const way of ways)
      await part(async () => {
        const options = { label: `${way.name}, ${way.model}, enabled`, key: account.key };
        const exchange = await way.send(parts, way.body(newScene()), options);
        way.judgeServed(parts, exchange, { requirement, aspect: 'media-enabled-again' });
      });
  },
});

async function judgeMissing(
  parts: CheckParts,
  way: WayIn,
  { key }: TestAccount,
  aspect = 'media-not-usable',
): Promise<void> {
  const { cases, newScene, judge } = parts;
  cases.count();
  const scene = newScene();
  const label = `${way.name}, ${way.model}, which is not enabled`;
  const exchange = await way.send(parts, way.body(scene), { label, key });
  mustHoldNothing(exchange, everyRefusalFrees);
  judge.refused(exchange, { requirement, aspect, codes: ['model_not_found'] });
  await judgeNotForwarded(scene, requirement, exchange);
}

/** An account with an empty model list must not get all models. A refusal on one endpoint may keep its slot. */
async function judgeNone(parts: CheckParts, ways: readonly WayIn[]): Promise<void> {
  const account = await parts.accounts.create({ models: [] });
  for (const way of [...ways, ...(await chatWaysOf(parts))])
    for (let round = 0; round <= parts.target.profile.cap.value; round += 1)
      await part(() => judgeMissing(parts, way, account, 'none-enabled'));
}

/** The model list follows changes of the account, also for a caller who has read it before. */
async function judgeListed(
  parts: CheckParts,
  enabled: readonly string[],
  { key }: TestAccount,
): Promise<void> {
  const { ids, exchange } = await list(parts, key);
  const absent = enabled.filter((id) => !ids.includes(id));
  must(absent.length === 0, {
    requirement,
    aspect: 'listed-once-enabled',
    expected: `${enabled.join(' and ')} in the list of an account that has got them`,
    actual: `a list without ${absent.join(' and ')}`,
    exchange,
  });
}

async function judgeUnlisted(
  parts: CheckParts,
  missing: readonly string[],
  { key }: TestAccount,
): Promise<void> {
  const { ids, exchange } = await list(parts, key);
  must(!missing.some((id) => ids.includes(id)), {
    requirement,
    aspect: 'media-not-listed',
    expected: `neither of ${missing.join(' and ')} in the list of an account without them`,
    actual: ids.join(', '),
    exchange,
  });
}
