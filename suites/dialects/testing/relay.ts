import fc from 'fast-check';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { type ErrorCode, errorTable } from '../../oracle/error-table.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import { type Body, exactIn } from '../../rewrite/json.ts';
import type { Mutation, ProxyAnswer } from '../../rewrite/mutation.ts';
import { headerOf, withHeader, withoutHeaders } from '../../rewrite/proxy-headers.ts';
import { isJsonObject } from '../../values/json.ts';

/** A random dialect: its own names, paths, codes and fields. */
export interface ChanceDialect {
  readonly prefix: string;
  readonly keyHeader: string;
  /** Own id by role. */
  readonly models: Readonly<Record<string, string>>;
  /** Own name by ours, of chat requests. */
  readonly fields: Readonly<Record<string, string>>;
  /** Own code and status by ours. */
  readonly codes: Readonly<Partial<Record<ErrorCode, { readonly code: string; readonly status: number }>>>;
  /** Whether its errors have HTTP 200, so that only their codes say what they are. */
  readonly inSuccess: boolean;
  /** The member of an answer that holds an error, and its members. */
  readonly object: string;
  readonly message: string;
  /** The member of an error on compat path B that holds its message. */
  readonly compatMessage: string;
  /** The paths of tasks, the members for their id and results, and their states by ours. */
  readonly tasks: {
    readonly submit: string;
    readonly read: string;
    readonly id: string;
    readonly results: readonly [outer: string, inner: string];
    readonly states: Readonly<Record<string, string>>;
  };
}

const states = ['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'];

const word = fc.stringMatching(/^[a-z]{5,9}$/);
const roles = [...chatCatalogue, ...mediaModels].map(({ id }) => id);
const codes = Object.keys(errorTable) as ErrorCode[];

/** All names differ from each other and from ours, so the translation is lossless. */
export const chanceDialect: fc.Arbitrary<ChanceDialect> = fc
  .uniqueArray(word, { minLength: 64, maxLength: 64 })
  .chain((words) =>
    fc
      .record({
        status: fc.array(fc.integer({ min: 430, max: 470 }), { minLength: 20, maxLength: 20 }),
        inSuccess: fc.boolean(),
      })
      .map(({ status, inSuccess }) => ({
        inSuccess,
        prefix: `/${words[0]}/${words[1]}`,
        keyHeader: `x-${words[2]}`,
        models: Object.fromEntries(
          roles.map((id, nth) => [id, `${words[3 + (nth % 17)]}/${words[20]}-${nth}`]),
        ),
        fields: { max_tokens: `${words[21]}_max`, temperature: `${words[22]}`, stop: `${words[23]}` },
        codes: Object.fromEntries(
          codes.map((code, nth) => [
            code,
            { code: `E_${words[24 + nth]}`, status: inSuccess ? 200 : (status[nth] ?? 430) },
          ]),
        ),
        object: words[50] ?? '',
        message: words[51] ?? '',
        compatMessage: words[52] ?? '',
        tasks: {
          submit: `/${words[53]}`,
          read: `/${words[54]}/{id}/${words[55]}`,
          id: `${words[56]}`,
          results: [`${words[57]}`, `${words[58]}`],
          states: Object.fromEntries(states.map((state, nth) => [state, words[59 + nth] ?? ''])),
        },
      })),
  );

/** The section of a profile that describes it. */
export function sectionOf({ codes: all, tasks, ...dialect }: ChanceDialect): object {
  const own = dialect.inSuccess ? withoutStatus(all) : all;
  const { submit, read, results, id } = tasks;
  return {
    routes: { '/api/v1': dialect.prefix },
    keys: { core: { header: dialect.keyHeader, form: 'Key {key}' } },
    models: Object.fromEntries(Object.entries(dialect.models).map(([role, id]) => [id, role])),
    fields: {
      chat: { request: dialect.fields },
      tasks: { answer: { task_id: id, result_urls: results.join('[].') } },
    },
    tasks: { submit, read, states: tasks.states },
    errors: {
      ...{ object: dialect.object, members: { message: dialect.message }, codes: own },
      ...(dialect.inSuccess && { in_success: true }),
      at: { 'compat-b': { members: { message: dialect.compatMessage }, codes: own } },
    },
  };
}

function withoutStatus(codes: ChanceDialect['codes']): object {
  return Object.fromEntries(Object.entries(codes).map(([name, { code }]) => [name, { code }]));
}

/** A gateway with this dialect in front of the reference: it translates its own words to ours. */
export function relay(dialect: ChanceDialect): Mutation {
  const ours = new Map(Object.entries(dialect.models).map(([role, own]) => [own, role]));
  const fields = new Map(Object.entries(dialect.fields).map(([name, own]) => [own, name]));
  return {
    request: (request) => {
      const key = headerOf(request.headers, dialect.keyHeader).replace(/^Key /, 'Bearer ');
      const headers = withoutHeaders(request.headers, dialect.keyHeader, 'authorization', 'content-length');
      return {
        ...request,
        path: pathOf(request.path),
        headers: key === '' ? headers : withHeader(headers, 'authorization', key),
        body: asked(request.body),
      };
    },
    answer: (answer, { path }) => said(answer, path),
    events:
      ({ path }) =>
      (event) => {
        if (event === null) return [];
        const body = event.startsWith('data: {') ? exactIn(Buffer.from(event.slice(6))) : null;
        return [body === null ? event : `data: ${JSON.stringify(inOwnWords(body, path))}`];
      },
  };

  function pathOf(path: string): string {
    const { submit, read } = dialect.tasks;
    const [before = '', after = ''] = read.split('{id}');
    if (path.split('?')[0] === submit) return path.replace(submit, '/api/v1/tasks');
    if (path.startsWith(before) && path.includes(after))
      return `/api/v1/tasks/${path.slice(before.length).replace(after, '')}`;
    if (path.startsWith(dialect.prefix)) return `/api/v1${path.slice(dialect.prefix.length)}`;
    const inPath = [...ours].map(([own, our]) => [encodeURIComponent(own), our] as const);
    const named = inPath.find(([own]) => path.includes(`/${own}:`));
    return (named === undefined ? path : path.replace(...named)).replace(/^.api.v1/, '/none');
  }

  /** All of its words are unique, so a plain text replacement finds them everywhere. */
  function asked(bytes: Buffer): Buffer {
    const text = [...ours, ...fields].reduce(
      (said, [own, our]) => said.replaceAll(`"${own}"`, `"${our}"`),
      bytes.toString('latin1'),
    );
    return Buffer.from(text, 'latin1');
  }

  function said(answer: ProxyAnswer, path: string): ProxyAnswer {
    const body = exactIn(answer.body);
    if (body === null) return answer;
    const { code } = (isJsonObject(body.error) ? body.error : {}) as { code?: ErrorCode };
    const own = code === undefined ? undefined : dialect.codes[code];
    return {
      ...answer,
      status: own?.status ?? answer.status,
      body: Buffer.from(JSON.stringify(inOwnWords(body, path))),
    };
  }

  function inOwnWords(body: Body, path: string): Body {
    const { error, ...rest } = body;
    if (typeof body.task_id === 'string') return ownTask(body);
    if (isJsonObject(error)) {
      const { message, code, param, ...others } = error as {
        message?: unknown;
        code?: ErrorCode;
        param?: unknown;
      };
      const own = code === undefined ? undefined : dialect.codes[code];
      const isCompat = path.startsWith('/compat-b/');
      // Only chat has fields of its own names.
      const isChat = path.includes('/chat/completions');
      const named = { ...others, param: isChat ? ownParam(param) : param, code: own?.code ?? code };
      return isCompat
        ? { ...rest, error: { ...named, [dialect.compatMessage]: message } }
        : { ...rest, [dialect.object]: { ...named, [dialect.message]: message } };
    }
    const named = (id: unknown): unknown => dialect.models[String(id)] ?? id;
    if (Array.isArray(body.data))
      return { ...body, data: body.data.map((one: Body) => ({ ...one, id: named(one.id) })) };
    if (body.modelVersion !== undefined) return { ...body, modelVersion: named(body.modelVersion) };
    return body.model === undefined ? body : { ...body, model: named(body.model) };
  }

  function ownParam(param: unknown): unknown {
    const head = /^\w+/.exec(String(param))?.[0] ?? '';
    const own = Object.hasOwn(dialect.fields, head) ? dialect.fields[head] : undefined;
    return own === undefined ? param : own + String(param).slice(head.length);
  }

  function ownTask({ task_id: taskId, result_urls: urls, status, ...rest }: Body): Body {
    const { id, results, states: words } = dialect.tasks;
    const [outer, inner] = results;
    return {
      ...{ [id]: taskId, status: words[String(status)] ?? status, ...rest },
      ...(Array.isArray(urls) && { [outer]: urls.map((url) => ({ [inner]: url })) }),
    };
  }
}
