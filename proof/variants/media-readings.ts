import { laterSteps } from '../../suites/oracle/media/fields.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { type Refusal, refusalOf } from './requests.ts';
import type { JsonObject } from './rewrite.ts';

/** Models that work without a prompt. */
const promptless = ['upscale-video', 'talk-audio', 'voice-v3', 'motion-act-two'];

/**
 * Gateways that accept media requests which the reference refuses, each in one point that a reading leaves
 * open.
 */
export const lenientOnMedia: readonly Variant[] = [
  {
    id: 'accepts.index-on-reroll',
    title: 'an index on reroll is ignored (B-63)',
    mutation: takes((body) => body.action === 'reroll' && drop(body, ['index'])),
  },
  {
    id: 'accepts.options-on-steps',
    title: 'prompt and options of later steps are ignored (B-63)',
    mutation: takes((body) => isStep(body) && drop(body, ['prompt', 'stylize'])),
  },
  {
    id: 'accepts.needless-prompts',
    title: 'a prompt is ignored by models that need none (B-79, B-82)',
    mutation: takes(
      (body) =>
        promptless.includes(String(body.model)) && typeof body.prompt === 'string' && drop(body, ['prompt']),
    ),
  },
  {
    id: 'accepts.lyrics-elsewhere',
    title: 'lyrics and instrumental are ignored by audio models that list neither (B-87)',
    mutation: takes((body) => {
      if (!['voice-v3', 'voice-music', 'motion-act-two'].includes(String(body.model))) return false;
      const fits = ['undefined', 'string'].includes(typeof body.lyrics);
      return (
        fits && typeof (body.instrumental ?? true) === 'boolean' && drop(body, ['lyrics', 'instrumental'])
      );
    }),
  },
];

/** Gateways that refuse media requests which the reference accepts. */
export const strictOnMedia: readonly Variant[] = [
  {
    id: 'refuses.null-options',
    title: 'an optional field of a media model may be left out, and not null (B-07)',
    mutation: refuses((body) => {
      const name = Object.keys(body).find((one) => body[one] === null);
      return name === undefined ? null : ['invalid_param', name];
    }),
  },
  {
    id: 'refuses.named-imagine',
    title: 'the first step of journey-v7 has no action (B-61)',
    mutation: refuses((body) => (body.action === 'imagine' ? ['invalid_param', 'action'] : null)),
  },
  {
    id: 'refuses.other-links',
    title: 'addresses of media are https, without exception (B-54, B-78)',
    mutation: refuses((body) => {
      const name = Object.keys(body).find(
        (one) => one.endsWith('_url') && /^(?:http|data):/.test(String(body[one])),
      );
      return name === undefined ? null : ['invalid_param', name];
    }),
  },
  {
    id: 'refuses.unknown-parents-as-unknown-tasks',
    title: 'a parent that the account has not is a task_not_found (B-62)',
    mutation: {
      answer: (answer, request) => {
        const { error } = objectIn(answer.body) ?? {};
        const isParent = (error as JsonObject | undefined)?.param === 'parent_task_id';
        const { parent_task_id: parent, model } = bodyOf(request) ?? {};
        // Other models have no parent: for them the member is an unknown field.
        if (model !== 'journey-v7' && model !== 'song-v5') return answer;
        return answer.status === 400 && isParent && typeof parent === 'string' && parent !== ''
          ? refusalOf(['task_not_found', null])
          : answer;
      },
    },
  },
];

function isStep({ model, action }: JsonObject): boolean {
  return model === 'journey-v7' && laterSteps.some((step) => step === action);
}

/** Removes members. Returns whether there were any. */
function drop(body: JsonObject, names: readonly string[]): boolean {
  const found = names.filter((name) => name in body);
  for (const name of found) delete body[name];
  return found.length > 0;
}

function takes(repair: (body: JsonObject) => boolean): Mutation {
  return {
    request: (request) => {
      const body = bodyOf(request);
      return body !== null && repair(body)
        ? { ...request, body: Buffer.from(JSON.stringify(body)) }
        : request;
    },
  };
}

function refuses(verdict: (body: JsonObject) => Refusal | null): Mutation {
  return {
    request: (request) => {
      const body = bodyOf(request);
      const refused = body === null ? null : verdict(body);
      return refused === null ? request : refusalOf(refused);
    },
  };
}

function bodyOf({ method, path, body }: ProxyRequest): JsonObject | null {
  const isMedia = method === 'POST' && /\/api\/v1\/(?:images\/generations|tasks)$/.test(path);
  return isMedia ? objectIn(body) : null;
}
