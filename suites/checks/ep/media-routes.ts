import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const imagesAreThere = defineCheck({
  id: 'ep.routes.images',
  title: 'pictures are made at POST /api/v1/images/generations',
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
  // A model that needs only a text, where there is one.
  const model = models.find((id) => id === 'vidB2') ?? models[0];
  return tasks.submit(newScene().minimalMedia(model), { label: model });
}
