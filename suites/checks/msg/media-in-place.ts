import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { otherMedia, png } from '../../oracle/sample-media.ts';
import { flag, must, part, Untestable } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { readRequest, shown } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { mediaModels } from './media-verdict.ts';

const forms = [
  { form: 'plain', stream: false, fails: false },
  { form: 'streamed', stream: true, fails: false },
  { form: 'plain, once failed', stream: false, fails: true },
  { form: 'streamed, once failed', stream: true, fails: true },
] as const;

const mediumOf = (extension: string): object =>
  imageBlock(otherMedia.find(({ link }) => link.endsWith(extension))?.dataUri ?? '');

/** All kinds of media, in an earlier turn and in the last. */
const messagesOf = (prompt: string): JsonObject[] => [
  { role: 'user', content: [textBlock('What are these?'), mediumOf('.mp4'), mediumOf('.pdf')] },
  { role: 'assistant', content: 'A film and a page.' },
  { role: 'user', content: [mediumOf('.wav'), imageBlock(png.dataUri), textBlock(prompt)] },
];

export const mediaKeepTheirPlaces = defineCheck({
  id: 'msg.media.in-place',
  title: 'several media in several turns all reach the upstream in their places, streamed and retried too',
  requirements: ['MSG-022', 'MSG-023'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const models = mediaModels(parts.target);
    if (models.length === 0) throw new Untestable('models.enabled with a model that takes other media');
    for (const model of models) for (const form of forms) await part(() => judgePlaces(parts, model, form));
  },
});

async function judgePlaces(
  parts: CheckParts,
  model: string,
  { form, stream, fails }: (typeof forms)[number],
): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  const scene = newScene();
  if (fails) {
    await keepClosed(parts, model);
    await scene.script(serverFault, { text: 'Second time lucky.' });
  }
  const body = { model, messages: messagesOf(scene.prompt()), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `four media on ${model}, ${form}` });
  const rule = { requirement: chatModel(model)?.family === 'gamma' ? 'MSG-022' : 'MSG-023', exchange };
  // A retry after an upstream failure is only advised (reading B-106).
  if (!fails) judgeAccepted(judge, body, exchange, { ...rule, aspect: 'several-accepted' });
  const requests = await scene.requestsNow();
  const arrival = { ...rule, aspect: 'media-in-place' };
  must(requests.length > 0, { ...arrival, expected: 'a request at the upstream', actual: 'none' });
  for (const request of requests) {
    const fault = turnFault(readCaller(body), readRequest(request).view);
    const { expected = '', actual = '' } = fault ?? {};
    const texts = { expected: expected.slice(0, 400), actual: actual.slice(0, 400) };
    flag(fault === null, { ...arrival, ...texts, upstream: shown(request) });
  }
}
