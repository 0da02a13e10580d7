import type { Match, TextMatch } from '../control/matching.ts';
import { turnNumber, userText } from './decode-request.ts';
import { keyFingerprint } from './key-fingerprint.ts';
import { keysOf, type RequestFacts } from './request-facts.ts';
import { headerOf, modelMatches } from './selectors.ts';

/** One condition of a match: the wanted value, the value in the request, and whether they match. */
export interface Condition {
  readonly name: string;
  readonly wanted: string;
  readonly given: string;
  readonly holds: boolean;
}

/** A predicate in code. */
export type Predicate = (request: RequestFacts) => boolean;

/** Every condition of a match, in reading order: destination, kind, content. */
export function* conditionsOf(match: Match, request: RequestFacts, where?: Predicate): Generator<Condition> {
  const { channel, dialect, path, model, stream, key, header, marker } = match;
  const is = (name: string, wanted: unknown, given: unknown, holds: boolean): Condition => ({
    name,
    wanted: shown(wanted),
    given: shown(given),
    holds,
  });
  if (channel !== undefined) yield is('channel', channel, request.channel, channel === request.channel);
  if (dialect !== undefined)
    yield is('dialect', dialect, request.kind?.dialect, dialect === request.kind?.dialect);
  if (path !== undefined) yield is('path', path, request.path, request.path.startsWith(path));
  if (model !== undefined) yield is('model', model, request.model, modelMatches(model, request.model));
  if (stream !== undefined) yield is('stream', stream, isStream(request), isStream(request) === stream);
  if (key !== undefined) {
    const keys = keysOf(request);
    yield is('key', keyFingerprint(key), keys.map(keyFingerprint).join(', '), keys.includes(key));
  }
  if (header !== undefined) {
    const { name, value } = header;
    const given = headerOf(request, name);
    yield is(`header ${name}`, value ?? 'any value', given, headerOf(request, name, value) !== undefined);
  }
  if (marker !== undefined) yield is('marker', marker, null, request.body.includes(marker));
  yield* saidConditions(match, request, is);
  if (where !== undefined) yield is('where', 'true', 'false', where(request));
}

type Is = (name: string, wanted: unknown, given: unknown, holds: boolean) => Condition;

/** Decodes the conversation only if the script has a condition on its content. */
function* saidConditions(match: Match, request: RequestFacts, is: Is): Generator<Condition> {
  const { role, turn, text, system, tools, tool_result: result } = match;
  if ([role, turn, text, system, tools, result].every((one) => one === undefined)) return;
  const { said } = request;
  const last = said.turns.at(-1);
  if (role !== undefined) yield is('role', role, last?.role, last?.role === role);
  if (turn !== undefined) yield is('turn', turn, turnNumber(said), turnNumber(said) === turn);
  if (text !== undefined) yield is('text', text, userText(said), matchText(text, userText(said)) !== null);
  if (system !== undefined) {
    const given = said.turns
      .filter((one) => one.role === 'system')
      .map((one) => one.text)
      .join('\n');
    yield is('system', system, given, matchText(system, given) !== null);
  }
  if (tools !== undefined) {
    const holds =
      typeof tools === 'boolean'
        ? said.tools.length > 0 === tools
        : tools.every((name) => said.tools.includes(name));
    yield is('tools', tools, said.tools, holds);
  }
  if (result !== undefined) {
    const results = last?.role === 'tool' ? last.results : [];
    const holds = typeof result === 'boolean' ? results.length > 0 === result : results.includes(result);
    yield is('tool_result', result, results, holds);
  }
}

/** The captures of a pattern, by number and by name; the whole match is 0. Null if the text does not match. */
export function matchText(wanted: TextMatch, text: string): Readonly<Record<string, string>> | null {
  if (typeof wanted === 'string') return text.includes(wanted) ? { 0: wanted } : null;
  if ('exact' in wanted) return text === wanted.exact ? { 0: text } : null;
  const found = new RegExp(wanted.pattern, wanted.flags ?? 'u').exec(text);
  if (found === null) return null;
  return Object.fromEntries([
    ...found.map((one, at) => [String(at), one ?? ''] as const),
    ...Object.entries(found.groups ?? {}),
  ]);
}

function isStream({ kind }: RequestFacts): boolean {
  return kind?.call === 'stream';
}

const longestShown = 200;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
