import type { ErrorCode } from '../../suites/oracle/error-table.ts';
import { fieldsOf } from '../../suites/oracle/media/fields.ts';
import { mediaModel } from '../../suites/oracle/media/models.ts';
import { listedNames } from '../../suites/oracle/media/shared-fields.ts';
import { mediaDialectOf } from '../../suites/oracle/media/upstream-view.ts';
import type { MediaDialect } from '../../suites/profile/dialects.ts';
import { type Body, objectIn, objectsIn } from '../../suites/rewrite/json.ts';
import {
  editRequest,
  jsonAnswer,
  type Mutation,
  type ProxyAnswer,
  type ProxyRequest,
} from '../../suites/rewrite/mutation.ts';
import { miscalls, pathOf, refusal } from '../../suites/rewrite/refusal-edits.ts';
import { type Claim, front, type Mutant, upstream } from './mutant.ts';

/** Changes to image requests and tasks, and to the fields of their models. */

export const isImagesCall = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/images/generations';

export const isSubmit = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/tasks';

export const isTaskRead = (request: ProxyRequest): boolean =>
  request.method === 'GET' && pathOf(request).startsWith('/api/v1/tasks/');

/** A request to the images path, with any method. */
export const isImagesPath = (request: ProxyRequest): boolean =>
  pathOf(request) === '/api/v1/images/generations';

/** A request about one task, with any method. */
export const isTaskPath = (request: ProxyRequest): boolean => pathOf(request).startsWith('/api/v1/tasks/');

export function modelOf(request: ProxyRequest): string {
  const { model } = objectIn(request.body) ?? {};
  return typeof model === 'string' ? model : '';
}

/** Changes bodies of one kind of call on their way in. */
export function inBodies(isSuch: (request: ProxyRequest) => boolean, edit: (body: Body) => void): Mutation {
  return {
    request: (request) => {
      const body = isSuch(request) ? objectIn(request.body) : null;
      if (body === null) return request;
      edit(body);
      return { ...request, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

type Edit = (answer: Body, request: ProxyRequest) => unknown;

export const inImages = (edit: Edit): Mutation => inAnswers(isImagesCall, edit);

export const inSubmitted = (edit: Edit): Mutation => inAnswers(isSubmit, edit);

export const inRecords = (edit: Edit): Mutation => inAnswers(isTaskRead, edit);

/** Changes each element of `data`. */
export function inPictures(edit: (picture: Body) => void): Mutation {
  return inImages((answer) => {
    for (const picture of answer.data as Body[]) edit(picture);
  });
}

/** Changes successful answers of one kind of call. When `edit` returns a number, it is the new status. */
function inAnswers(isSuch: (request: ProxyRequest) => boolean, edit: Edit): Mutation {
  return {
    answer: (answer, request) => {
      const body = isSuch(request) && answer.status === 200 ? objectIn(answer.body) : null;
      if (body === null) return answer;
      const status = edit(body, request);
      return {
        ...answer,
        status: typeof status === 'number' ? status : 200,
        body: Buffer.from(JSON.stringify(body)),
      };
    },
  };
}

/** Replaces the code of refusals at the images endpoint alone. */
export function miscallsAtImages(code: ErrorCode, other: ErrorCode): Mutation {
  const { answer } = miscalls(code, other);
  return {
    answer: (given, request) =>
      answer !== undefined && isImagesCall(request) ? answer(given, request) : given,
  };
}

/** Answers requests that the gateway refused with one of these statuses as if it had accepted a task. */
export function takesOn(when: (request: ProxyRequest, answer: ProxyAnswer) => boolean): Mutation {
  return {
    answer: (answer, request) => {
      if (!isSubmit(request) || answer.status < 400 || !when(request, answer)) return answer;
      return jsonAnswer(200, newTask());
    },
  };
}

/** Answers rejected image requests as if the gateway had made the images. */
export function drawsAnyway(when: (request: ProxyRequest) => boolean): Mutation {
  return {
    answer: (answer, request) =>
      isImagesCall(request) && answer.status >= 400 && when(request)
        ? jsonAnswer(200, {
            created: Math.floor(Date.now() / 1_000),
            data: [{ url: 'https://x.example/a.png' }],
          })
        : answer,
  };
}

/** The answer to an accepted task. */
export const newTask = (): object => ({
  task_id: 'task_of_a_mutant',
  status: 'QUEUED',
  submit_time: new Date().toISOString(),
});

export const takenTask = jsonAnswer(200, newTask());

/** Changes media requests on their way to the upstreams of one dialect. */
export function toMedia(dialect: MediaDialect, edit: (body: Body) => void): Mutation {
  return {
    request: (request) =>
      request.method === 'POST' && mediaDialectOf(request.path.split('?')[0] ?? '') === dialect
        ? editRequest(edit)(request)
        : request,
  };
}

/**
 * Changes the parameters of submissions to the upstream with callbacks, if the parameters meet the condition.
 */
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

/** Changes the request to the images upstream for a model. */
export function inPicture(claim: Claim, model: string, edit: (body: Body) => void): Mutant {
  return upstream(
    claim,
    toMedia('images', (body) => {
      if (body.model === model) edit(body);
    }),
  );
}

/** Removes a field if its value meets the condition. */
export const without =
  (name: string, when: (value: unknown) => boolean = () => true) =>
  (fields: Body): void => {
    if (when(fields[name])) delete fields[name];
  };

/** Sets a field. */
export const setting =
  (name: string, value: unknown) =>
  (fields: Body): void => {
    fields[name] = value;
  };

export const isModel =
  (name: string) =>
  ({ model }: Body): boolean =>
    model === name;

/** A URL that replaces a missing or invalid one. */
export const link = 'https://media.example.com/files/sea.png';

/** Makes invalid requests for a model legal. */
export function lenient(claim: Claim, model: string | null, repair: (body: Body) => void): Mutant {
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

/** Removes fields that a model does not list. */
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

/** Passes a request on without its unknown field, but still refuses it. */
export function refusedAfterwards(isSuch: (request: ProxyRequest) => boolean): Mutation {
  return refusedLate(
    (request) => {
      const body = isSuch(request) ? objectIn(request.body) : null;
      if (body === null || !Object.hasOwn(body, 'zz_unknown')) return null;
      const { zz_unknown: _, ...rest } = body;
      return rest;
    },
    refusal('invalid_param', 'zz_unknown'),
  );
}

/** Passes requests on with the legal body that `mend` makes of them, but still refuses them. */
export function refusedLate(mend: (request: ProxyRequest) => Body | null, answer: ProxyAnswer): Mutation {
  const mark = ['x-too-late', 'yes'] as const;
  return {
    request: (request) => {
      const body = mend(request);
      if (body === null) return request;
      return { ...request, headers: [...request.headers, mark], body: Buffer.from(JSON.stringify(body)) };
    },
    answer: (served, request) => (request.headers.some(([name]) => name === mark[0]) ? answer : served),
  };
}
