import { mediaDialectOf } from '../oracle/media/upstream-view.ts';
import type { MediaDialect } from '../profile/dialects.ts';
import { type Body, type Claim, objectsIn, upstream } from './defects.ts';
import type { Mutant } from './mutant.ts';
import { editRequest, type Mutation } from './mutation.ts';

/** Changes calls for media on their way to the upstreams of one dialect. */
export function toMedia(dialect: MediaDialect, edit: (body: Body) => void): Mutation {
  return {
    request: (request) =>
      request.method === 'POST' && mediaDialectOf(request.path.split('?')[0] ?? '') === dialect
        ? editRequest(edit)(request)
        : request,
  };
}

/** Changes the parameters of submissions at the upstream that reports back, where they are such. */
export function inParams(
  claim: Claim,
  isSuch: (body: Body) => boolean,
  edit: (params: Body, body: Body) => void,
): Mutant {
  return upstream(
    claim,
    toMedia('callback-jobs', (body) => {
      const [params] = objectsIn([body.params]);
      if (params !== undefined && isSuch(body)) edit(params, body);
    }),
  );
}

export function inPicture(claim: Claim, model: string, edit: (body: Body) => void): Mutant {
  return upstream(
    claim,
    toMedia('images', (body) => {
      if (body.model === model) edit(body);
    }),
  );
}

export const without =
  (name: string, when: (value: unknown) => boolean = () => true) =>
  (fields: Body): void => {
    if (when(fields[name])) delete fields[name];
  };

export const isModel =
  (name: string) =>
  ({ model }: Body): boolean =>
    model === name;
