import { z } from 'zod';
import { isObject, parseJson, sortedMembers } from '../../json/json-body.ts';
import { findMemberFault, link, type NativeMembers, text } from '../media/native-members.ts';
import type { Refusal } from './errors.ts';
import { findModel, type NativeModel, type NativeTask } from './models.ts';

/** A valid submit for its model. The existence of its parents is checked later. */
export interface GenerateRequest {
  readonly model: NativeModel;
  readonly task: string;
  readonly reference: string | null;
  readonly callbackUrl: string | null;
  /** Native ids of its parent jobs. */
  readonly parents: readonly string[];
  readonly params: Params;
  /** The content that the result depends on. */
  readonly content: string;
}

/** The members, of all tasks, that this upstream evaluates. */
export type Params = z.infer<typeof paramsSchema>;

export type ParsedRequest = { ok: true; request: GenerateRequest } | { ok: false; refusal: Refusal };

/** Reads a body as strictly as the real upstream: the first invalid field causes an error. */
export function parseRequest(body: Buffer): ParsedRequest {
  const json = parseJson(body);
  if (!isObject(json)) return refused('the body is not a JSON object');
  const fault = findMemberFault(json, envelopeMembers);
  if (fault !== null) return refused(fault.message);
  const envelope = envelopeSchema.parse(json);
  const model = findModel(envelope.model);
  if (model === undefined) return refused(`there is no model '${envelope.model}'`);
  const task = Object.hasOwn(model.tasks, envelope.task) ? model.tasks[envelope.task] : undefined;
  if (task === undefined) return refused(`'${envelope.model}' has no task '${envelope.task}'`);
  const wrong = findMemberFault(envelope.params, task.members, ['params']);
  if (wrong !== null) return refused(wrong.message);
  const { parent, parents = parent === undefined ? [] : [parent] } = envelope;
  const misled = wrongParents(task, parent, envelope.parents);
  if (misled !== null) return refused(misled);
  return {
    ok: true,
    request: {
      model,
      task: envelope.task,
      reference: envelope.reference ?? null,
      callbackUrl: envelope.callback_url ?? null,
      parents,
      params: paramsSchema.parse(envelope.params),
      content: JSON.stringify([envelope.task, sortedMembers(envelope.params), parents]),
    },
  };
}

const envelopeMembers: NativeMembers = {
  model: text(200),
  task: text(200),
  reference: text(255).exactOptional(),
  params: z.looseObject({}),
  parent: text(200).exactOptional(),
  parents: z.array(text(200)).length(2).exactOptional(),
  callback_url: link.exactOptional(),
};

const envelopeSchema = z.looseObject({
  model: z.string(),
  task: z.string(),
  reference: z.string().optional(),
  params: z.looseObject({}),
  parent: z.string().optional(),
  parents: z.array(z.string()).optional(),
  callback_url: z.string().optional(),
});

const paramsSchema = z.looseObject({
  prompt: z.string().optional(),
  lyric: z.string().optional(),
  text: z.string().optional(),
  ratio: z.string().default('1:1'),
  index: z.int().default(1),
  durationSec: z.number().optional(),
});

function wrongParents(
  { parents: wanted }: NativeTask,
  parent: string | undefined,
  parents: readonly string[] | undefined,
): string | null {
  if (parents !== undefined && wanted !== 'two') return "'parents' is not for this task";
  if (parent !== undefined && (wanted === 'none' || wanted === 'two')) return "'parent' is not for this task";
  if (wanted === 'one' && parent === undefined) return "'parent' is required for this task";
  if (wanted === 'two' && parents === undefined) return "'parents' is required for this task";
  return null;
}

function refused(msg: string): ParsedRequest {
  return { ok: false, refusal: { code: 400, msg } };
}
