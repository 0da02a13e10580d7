import { fieldsOf } from '../oracle/media/fields.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { listedNames } from '../oracle/media/shared-fields.ts';
import { type Body, type Claim, front, refusal } from './defects.ts';
import { inBodies, isImagesCall, isSubmit } from './media-defects.ts';
import type { Mutant } from './mutant.ts';
import { type Mutation, objectIn } from './mutation.ts';

/** Ways to be too kind, or too strict, about the fields of a model of pictures, video or sound. */

/** An address in the place of one that is missing or wrong. */
export const link = 'https://media.example.com/files/sea.png';

/** Puts requests for a model right that are none. */
export function kind(claim: Claim, model: string | null, repair: (body: Body) => void): Mutant {
  return front(
    claim,
    inBodies(
      (request) => isImagesCall(request) || isSubmit(request),
      (body) => {
        if ((model === null && isMedia(body)) || body.model === model) repair(body);
      },
    ),
  );
}

/** Refuses legal requests for a model. */
export function strict(claim: Claim, when: (body: Body) => boolean, param: string): Mutant {
  const mutation: Mutation = {
    request: (request) => {
      const body = isImagesCall(request) || isSubmit(request) ? objectIn(request.body) : null;
      return body !== null && isMedia(body) && when(body) ? refusal('invalid_param', param) : request;
    },
  };
  return front(claim, mutation);
}

function isMedia({ model }: Body): boolean {
  return typeof model === 'string' && mediaModel(model) !== undefined;
}

/** Leaves out what a model does not list. */
export function dropUnknown(body: Body, isToGo: (name: string) => boolean = () => true): void {
  const listed = listedNames(String(body.model));
  for (const name of Object.keys(body)) if (!listed.has(name) && isToGo(name)) delete body[name];
}

export function isForeign(name: string): boolean {
  return ['kontext-pro', 'kontext-max', 'motion-gen4-image', 'journey-v7', 'motion-gen3-alpha-turbo'].some(
    (model) => fieldsOf(model).some((field) => field.name === name),
  );
}

export const clamped = (body: Body, field: string, from: number, to: number): void => {
  const { [field]: value } = body;
  if (typeof value === 'number') body[field] = Math.min(to, Math.max(from, value));
};

export const lowered = (body: Body, field: string): void => {
  const { [field]: value } = body;
  if (typeof value === 'string') body[field] = value.trim().toLowerCase();
};

export const numbered = (body: Body, field: string): void => {
  const { [field]: value } = body;
  if (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value))) body[field] = Number(value);
};

/** Whether a table that several models share has the field. */
export function isShared(name: string): boolean {
  return ['prompt', 'duration', 'resolution', 'aspect_ratio', 'image'].includes(name);
}

/** Passes a request with an unknown field on without it, and refuses it all the same. */
export function refusedAfterwards(
  isSuch: (request: Parameters<NonNullable<Mutation['answer']>>[1]) => boolean,
): Mutation {
  return {
    request: (request) => {
      const body = isSuch(request) ? objectIn(request.body) : null;
      if (body === null || !Object.hasOwn(body, 'zz_unknown')) return request;
      const { zz_unknown: _, ...rest } = body;
      const headers = [...request.headers, ['x-too-late', 'yes'] as const];
      return { ...request, headers, body: Buffer.from(JSON.stringify(rest)) };
    },
    answer: (answer, request) =>
      request.headers.some(([name]) => name === 'x-too-late')
        ? refusal('invalid_param', 'zz_unknown')
        : answer,
  };
}
