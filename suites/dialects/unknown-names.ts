import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { chatFields } from '../oracle/chat-fields.ts';
import { errorTable, isErrorCode } from '../oracle/error-table.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { everyFieldName } from '../oracle/media/shared-fields.ts';
import { callerProtocols, type Dialect } from '../profile/dialect.ts';
import { meant } from '../values/nearest.ts';
import { isBelow } from './routes.ts';

type Group = keyof Dialect['fields'];

/** Members of the common schema that requests may have besides those of the table (reading B-11). */
const commonFields = [
  ...['n', 'stream_options', 'parallel_tool_calls', 'frequency_penalty', 'presence_penalty', 'logprobs'],
];

const requestNames: Readonly<Record<Group, readonly string[]>> = {
  chat: [...chatFields.map(({ name }) => name), 'model', 'messages', ...commonFields],
  images: ['model', ...everyFieldName()],
  tasks: ['model', ...everyFieldName()],
};

/** The members of answers ("Chat response", "Image response", "Task submit"); a dot leads into them. */
const answerNames: Readonly<Record<Group, readonly string[]>> = {
  chat: ['id', 'object', 'created', 'model', 'choices', 'usage'],
  images: ['created', 'data'],
  tasks: ['task_id', 'status', 'submit_time', 'result_urls', 'duration_sec'],
};

const usageNames = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_tokens_details'];

/** The paths of the specification ("Endpoints", "Authentication"). */
const paths = [
  ...['/api/v1/chat/completions', '/api/v1/images/generations', '/api/v1/tasks', '/api/v1/models'],
  ...['/compat-a/v1/messages', '/compat-b/v1beta/models', '/api/admin'],
];

/** These paths and what they begin with, for hints. */
const beginnings = paths.flatMap((path) => [path, path.slice(0, path.lastIndexOf('/'))]);

/** Names of a dialect that mean nothing, each with the nearest one that does: they would be ignored. */
export function unknownNames(dialect: Dialect): string[] {
  const { models, routes, fields, errors } = dialect;
  const roles = [...chatCatalogue, ...mediaModels].map(({ id }) => id);
  const tables = [errors, ...Object.values(errors.at)];
  return [
    ...Object.entries(models).flatMap(([id, { like }]) =>
      roles.includes(like) ? [] : [said(`models.${id}`, 'model', like, roles)],
    ),
    ...tables
      .flatMap(({ codes }) => Object.keys(codes))
      .filter((code) => !isErrorCode(code))
      .map((code) => said('errors.codes', 'code', code, Object.keys(errorTable))),
    ...unknownFields(fields),
    ...Object.keys(routes)
      .filter((path) => !isPath(path))
      .map((path) => said('routes', 'path of the specification', path, beginnings)),
    ...Object.keys(errors.at)
      .filter((place) => !callerProtocols.some((one) => one === place) && !isPath(place))
      .map((place) => said('errors.at', 'path of the specification', place, beginnings)),
  ];
}

function unknownFields(fields: Dialect['fields']): string[] {
  return (Object.keys(fields) as Group[]).flatMap((group) => {
    const { request, answer, texts } = fields[group];
    const known = [...requestNames[group], ...answerNames[group]];
    const ofRequest = Object.keys(request).filter((name) => !requestNames[group].includes(name));
    const ofAnswer = Object.keys(answer).filter((name) => !isAnswerName(group, name));
    return [
      ...ofRequest.map((name) => said(`fields.${group}.request`, 'member', name, requestNames[group])),
      ...texts
        .filter((name) => !known.includes(name))
        .map((name) => said(`fields.${group}.texts`, 'member', name, known)),
      ...ofAnswer.map((name) =>
        said(`fields.${group}.answer`, 'member', name, [
          ...answerNames[group],
          ...(group === 'chat' ? usageNames.map((one) => `usage.${one}`) : []),
        ]),
      ),
    ];
  });
}

function isAnswerName(group: Group, name: string): boolean {
  const [head = '', next] = name.split(/[.[]/);
  return (
    answerNames[group].includes(head) && (head !== 'usage' || next === undefined || usageNames.includes(next))
  );
}

/** Whether a path is one of the specification, begins one, or continues one. */
function isPath(path: string): boolean {
  return paths.some((one) => isBelow(one, path) || isBelow(path, one));
}

function said(member: string, kind: string, name: string, known: readonly string[]): string {
  return `dialect.${member}: there is no ${kind} ${name}${meant(name, known)}`;
}
