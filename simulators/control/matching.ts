import type { DialectName } from '../answers/native-answer.ts';

/** The shapes of matches and of script states. Types only. */

/** Selects requests: all given members must match. */
export interface Selectors {
  /** The channel in the URL. */
  channel?: string;
  /** The name of the model; `*` stands for any characters. */
  model?: string;
  /** The upstream API key of the request. Never shown again. */
  key?: string;
  /** Prefix of the native path, from the version segment on: `/v1/messages`. */
  path?: string;
  /** A text that the body contains. */
  marker?: string;
  /** A header, and its value when given. */
  header?: { name: string; value?: string };
}

/** Selectors as the API shows them: a key as the beginning of its hash. */
export type ShownSelectors = Selectors;

/** Matches a text that contains this string, equals it, or fits a regular expression. The text is decoded first. */
export type TextMatch = string | { exact: string } | { pattern: string; flags?: string };

/** Which requests a script answers. All given members must match; an empty match accepts every model call. */
export interface Match extends Selectors {
  dialect?: DialectName;
  /** Whether the request asks for a stream. */
  stream?: boolean;
  /** The role of the last message. */
  role?: 'system' | 'user' | 'assistant' | 'tool';
  /** The text of the last user message. */
  text?: TextMatch;
  /** The system or developer instructions. */
  system?: TextMatch;
  /** The tools that the request offers: all of these, any (true), or none (false). */
  tools?: string[] | boolean;
  /** Whether the last message brings the result of a tool: of this one, of any (true), or of none (false). */
  tool_result?: string | boolean;
  /** The number of this answer within the conversation, from 1. */
  turn?: number;
}

/** A script and its progress. */
export interface ScriptState {
  id: string;
  name: string | null;
  /** Whether it comes from the files that the process was started with. */
  from_file: boolean;
  match: Match;
  /** The number of requests it answered, and its number of replies. */
  used: number;
  replies: number;
}

/** A request without a script, and the nearest script. */
export interface UnexpectedRequest {
  n: number;
  method: string;
  path: string;
  /** One sentence: the nearest script, and the difference. */
  why: string;
}

/** A fault that was set and that no request met. */
export interface UnmetFault {
  id: string;
  /** The fault, or the reply as JSON. */
  set: string;
  when: ShownSelectors;
}

/** The answer to `GET /tenants/{tenant}/check`: the reasons for a test to fail. */
export interface CheckAnswer {
  unused: ScriptState[];
  /** Faults that were set and that no request met. */
  unmet: UnmetFault[];
  unexpected: UnexpectedRequest[];
}
