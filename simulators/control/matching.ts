import type { DialectName } from '../answers/native-answer.ts';

/** The shapes of matches and of what became of scripts. Types only. */

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

/** A text that contains this one, is this one, or fits a regular expression. It is compared with decoded text. */
export type TextMatch = string | { exact: string } | { pattern: string; flags?: string };

/** Which requests a script answers: all given members must match. Without any, every model call does. */
export interface Match extends Selectors {
  dialect?: DialectName;
  /** Whether a stream is asked for. */
  stream?: boolean;
  /** The role of the last message. */
  role?: 'system' | 'user' | 'assistant' | 'tool';
  /** The last message of the user. */
  text?: TextMatch;
  /** Instructions of the system or the developer. */
  system?: TextMatch;
  /** The tools that the request offers: all of these, any (true), or none (false). */
  tools?: string[] | boolean;
  /** Whether the last message brings the result of a tool: of this one, of any (true), or of none (false). */
  tool_result?: string | boolean;
  /** Which answer of the conversation it will be, from 1. */
  turn?: number;
}

/** A script and what became of it. */
export interface ScriptState {
  id: string;
  name: string | null;
  /** Whether it is of the files that the process was started with. */
  from_file: boolean;
  match: Match;
  /** How many requests it has answered, and how many replies it has. */
  used: number;
  replies: number;
}

/** A request that nothing was scripted for, with the script that came nearest. */
export interface UnexpectedRequest {
  n: number;
  method: string;
  path: string;
  /** One sentence: the nearest script, and what differs. */
  why: string;
}

/** The answer to `GET /tenants/{tenant}/check`: what a test has to fail for. */
export interface CheckAnswer {
  unused: ScriptState[];
  unexpected: UnexpectedRequest[];
}
