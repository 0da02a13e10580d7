import { defineCheck } from '../../engine/check.ts';
import { eachImageModel } from './each-image-model.ts';
import { judgeSize } from './judge-size.ts';

export const everyModelAnswers = defineCheck({
  id: 'img.answer.every-model',
  title: 'each synchronous image model answers with one public image of at most its promised size',
  requirements: ['IMG-001', 'IMG-012', 'IMG-013', 'IMG-018', 'IMG-019', 'IMG-020', 'IMG-028', 'EP-003'],
  kind: 'example',
  needs: [],
  run: (parts) =>
    eachImageModel(parts, async (model, exchange) => {
      const rule = { requirement: 'IMG-001', aspect: 'answers-at-once' };
      const answer = parts.images.pictured(exchange, { ...rule, form: null });
      const [picture] = answer.pictures;
      if (picture === undefined) return;
      const found = await parts.images.look(picture, exchange);
      judgeSize(model, found, exchange);
    }),
});
