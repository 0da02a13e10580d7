import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Patch, timesIn } from '../kill-matrix/patch.ts';
import { idOf } from './source-mutant.ts';

/** A person's finding about a mutant that no check kills. */
export interface Note extends Patch {
  /**
   * - `equivalent`: it cannot be observed outside the gateway, or the specification does not cover what is observed
   * - `open`: it breaks a rule, and a check is missing
   */
  readonly class: 'equivalent' | 'open';
  readonly why: string;
  /** The requirement in the register whose checks should detect it. */
  readonly requirement?: string;
}

const notesFile = new URL('./notes.yaml', import.meta.url);

/** The notes of `notes.yaml`. */
export function loadNotes(): readonly Note[] {
  return (parse(readFileSync(notesFile, 'utf8')) ?? []) as Note[];
}

/** Differences in these folders break no rule, as long as no check detects them. */
const silentFolders = [
  { under: 'gateway/admin/', why: 'The specification has no administration interface.' },
  { under: 'gateway/endpoints/admin/', why: 'The specification has no administration interface.' },
  { under: 'gateway/openapi/', why: 'The specification has no document that describes the interface.' },
] as const;

/** The note on a survivor: its own, or that of its folder; undefined without one. */
export function noteOf(
  { id, file }: { readonly id: string; readonly file: string },
  notes: ReadonlyMap<string, Note>,
): Pick<Note, 'class' | 'why' | 'requirement'> | undefined {
  const folder = silentFolders.find(({ under }) => file.startsWith(under));
  return notes.get(id) ?? (folder === undefined ? undefined : { class: 'equivalent', why: folder.why });
}

/** The notes by mutant id. */
export function notesById(notes: readonly Note[]): ReadonlyMap<string, Note> {
  return new Map(notes.map((note) => [idOf(note), note]));
}

/** The fault of a note as a sentence; null if it is correct. */
export function faultOf(
  note: Note,
  isRow: (id: string) => boolean,
  textOf: (file: string) => string,
): string | null {
  const name = `the note of ${idOf(note)} in ${note.file}`;
  const times = timesIn(textOf(note.file), note.find);
  if (times !== 1) return `${name} finds its text ${times} times: delete it, or write it anew`;
  if (note.why.trim() === '') return `${name} gives no reason`;
  if (note.class === 'open' && (note.requirement === undefined || !isRow(note.requirement)))
    return `${name} is open and names no row of the register`;
  return null;
}
