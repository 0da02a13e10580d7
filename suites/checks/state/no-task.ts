import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

export const imageCallsAreNoTasks = defineCheck({
  id: 'state.calls.no-task',
  title: 'chat and image answers come whole, with no task or status, and their ids are not task ids',
  requirements: ['STATE-015'],
  kind: 'example',
  needs: [],
  run: async ({ target, http, newScene, judge, images, tasks }) => {
    const [model] = target.mediaModelsOf('images').filter((id) => id !== 'edit-image');
    const chatModel = target.anyModel();
    const chat = await http.chat(newScene().minimal(chatModel), { label: 'a chat' });
    const oneAnswer = { requirement: 'STATE-015', aspect: 'one-answer' };
    const { id } = judge.completed(chat, { ...oneAnswer, model: chatModel });
    judgeNoTask(chat);
    if (model !== undefined) {
      const picture = await images.generate(newScene().minimalMedia(model), { label: 'a picture' });
      judgeNoTask(picture);
      images.pictured(picture, { ...oneAnswer, form: null });
    }
    const read = await tasks.read(id, { label: 'the id of a chat read as a task' });
    const rule = { requirement: 'STATE-015', aspect: 'no-task', twin: chat };
    judge.refused(read, { ...rule, codes: ['task_not_found'] });
  },
});

function judgeNoTask(exchange: Exchange): void {
  const body = (jsonOf(exchange) ?? {}) as Record<string, unknown>;
  const found = ['task_id', 'status', 'result_urls'].filter((name) => Object.hasOwn(body, name));
  const rule = { requirement: 'STATE-015', aspect: 'no-task-members', exchange };
  const expected = 'an answer without the members of a task';
  must(found.length === 0, { ...rule, expected, actual: found.join(', ') });
}
