import { defineCheck } from '../../engine/check.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';

export const modelIsOfTheCatalogue = defineCheck({
  id: 'resp.model.catalogue-name',
  title: "the answer names the model by its catalogue id, never by the upstream's name for it",
  requirements: ['RESP-004'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ target, cases, newScene, judge, http }) => {
    for (const model of target.eachModel) {
      cases.count();
      const scene = newScene();
      await scene.script({ text: 'Who am I?', model: `internal/${model}-preview-0815` });
      judge.completed(await http.chat(scene.minimal(model), { label: model }), { ...plainAccepted, model });
      const body = { ...scene.minimal(model), stream: true };
      const stream = await http.chat(body, { label: `${model} streamed` });
      judge.streamed(stream, { ...streamAccepted, model });
    }
  },
});
