import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, outcomeOf } from '../../wire/exchange.ts';

/** No limit is published (LIM-022 forbids nothing), but the answer must be clean. */
const requirement = 'ERR-001';

/** Larger than any usual image, bytes before base64. */
const oversizedBytes = { quick: 36 * 1024 * 1024, full: 96 * 1024 * 1024 } as const;

export const oversizedMediaAreRefused = defineCheck({
  id: 'lim.media.oversized',
  title: 'an image of many megabytes, in chat or as a start frame, is accepted or gets a clean 4xx',
  requirements: ['LIM-022', requirement],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, target, newScene, http, judge, tasks } = parts;
    const size = oversizedBytes[cases.full ? 'full' : 'quick'];
    const seer = target.models.find((id) => id.startsWith('gamma-')) ?? target.anyModel();
    const content = [
      { type: 'text', text: newScene().prompt() },
      { type: 'image_url', image_url: { url: place } },
    ];
    const body = withPicture({ model: seer, messages: [{ role: 'user', content }] }, size);
    const chat = await http.chat(body, { label: `an image of ${size} bytes in chat` });
    judgeClean(parts, chat, 'in-chat', (rule) => judge.completed(chat, { ...rule, model: seer }));
    const filmed = target.mediaModels.find((id) => id.startsWith('vidA-'));
    if (filmed === undefined) {
      judge.note('no starting image was tried: no model that takes one is enabled');
      return;
    }
    const film = withPicture({ model: filmed, prompt: newScene().prompt(), image: place }, size);
    const task = await tasks.submit(film, { label: `a starting image of ${size} bytes` });
    judgeClean(parts, task, 'in-a-task', (rule) => tasks.accepted(task, rule));
  },
});

/** Placeholder for the image in a body. */
const place = 'data:image/png;base64,HERE';

/** The bytes of a body with an image in it: a text of this length would be too much for the memory of some engines. */
function withPicture(body: object, size: number): Buffer {
  const [head = '', tail = ''] = JSON.stringify(body).split('HERE');
  const base64 = Buffer.alloc(4 * Math.ceil(size / 3), 'YWFh');
  return Buffer.concat([Buffer.from(head), base64, Buffer.from(tail)]);
}

/** Judges a clean answer. `taken` judges one that is not a refusal. */
function judgeClean(
  { cases, judge }: CheckParts,
  exchange: Exchange,
  aspect: string,
  taken: (rule: { readonly requirement: string; readonly aspect: string }) => unknown,
): void {
  cases.count();
  const status = exchange.response?.status ?? 0;
  const expected = 'a good answer or a 4xx';
  const actual = outcomeOf(exchange);
  must(status >= 200 && status < 500, { requirement, aspect, expected, actual, exchange });
  if (status >= 400) judgeErrorShape(exchange);
  else taken({ requirement, aspect });
  judge.note(
    status >= 400 ? `refuses oversized media with HTTP ${status}` : 'accepts media of any size tried',
  );
}
