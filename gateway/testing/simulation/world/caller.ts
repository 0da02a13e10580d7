import type { Random } from '../../random.ts';
import type { Asked, Seen } from './exchange.ts';
import { chatModel, type PlannedRequest, secretOf, videoModel, voiceModel } from './scenario.ts';

/** A request of a caller that has reached a process. */
export interface CallerRequest {
  readonly requestId: string;
  readonly userId: string;
  readonly process: string;
  readonly kind: PlannedRequest['kind'] | 'read' | 'callback';
  readonly askedMs: number;
  /** When it stopped counting as in flight; null while it does. */
  overMs: number | null;
  /** The status of its answer; null until there is one. */
  status: number | null;
}

/** What a planned request says. */
export function askedBy(
  { userId, kind, wantsEvent }: PlannedRequest,
  requestId: string,
  random: Random,
): Asked {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf(userId)}` };
  const post = (path: string, body: object): Asked => ({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(body),
  });
  const event = wantsEvent ? { webhook_url: `https://hooks.example.com/${random.whole(1, 2)}` } : {};
  switch (kind) {
    case 'chat':
    case 'stream': {
      const messages = [{ role: 'user', content: `${userId} ${requestId}` }];
      return post('/api/v1/chat/completions', { model: chatModel, messages, stream: kind === 'stream' });
    }
    case 'voice':
      return post('/api/v1/tasks', {
        model: voiceModel,
        text: 'Good morning.',
        voice_id: 'voice-1',
        ...event,
      });
    case 'video':
      return post('/api/v1/tasks', { model: videoModel, prompt: 'a quiet sea', ...event });
  }
}

/** How a caller reads a task. */
export function askedForTask(userId: string, taskId: string): Asked {
  const headers = { authorization: `Bearer ${secretOf(userId)}` };
  return { method: 'GET', path: `/api/v1/tasks/${taskId}`, headers, body: '' };
}

/** The text of a whole chat answer; null if it is not one. */
export function answerIn({ status, body }: Seen, isStream: boolean): string | null {
  if (status !== 200) return null;
  if (!isStream) {
    const answer: { choices: { message: { content: string } }[] } = JSON.parse(body);
    return answer.choices[0]?.message.content ?? null;
  }
  const events = body
    .split('\n\n')
    .flatMap((line) => (line.startsWith('data: {') ? [line.slice('data: '.length)] : []));
  const chunks: { error?: object; choices?: { delta: { content?: string } }[] }[] = events.map((text) =>
    JSON.parse(text),
  );
  if (chunks.some(({ error }) => error !== undefined) || !body.endsWith('data: [DONE]\n\n')) return null;
  return chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('');
}

/** The code of an error answer; null if there is none. */
export function codeIn({ status, body }: Seen): string | null {
  if (status === null || status < 400) return null;
  const answer: { error?: { code?: string } } = JSON.parse(body);
  return answer.error?.code ?? null;
}
