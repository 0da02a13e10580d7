import { defineCheck } from '../../engine/check.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';

export const modelIsOfTheCatalogue = defineCheck({
  id: 'resp.model.catalogue-name',
  title: "the answer names the model by its catalogue id and never by the upstream's own name for it",
  requirements: ['RESP-004'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of kit.target.models) {
      kit.cases.count();
      const scene = kit.newScene();
      await scene.script({ text: 'Who am I?', model: `internal/${model}-preview-0815` });
      kit.judge.completed(await kit.http.chat(scene.minimal(model), { label: model }), {
        ...plainAccepted,
        model,
      });
      const stream = await kit.http.chat(
        { ...scene.minimal(model), stream: true },
        { label: `${model} streamed` },
      );
      kit.judge.streamed(stream, { ...streamAccepted, model });
    }
  },
});
