import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Patch, timesIn } from '../kill-matrix/patch.ts';
import { idOf } from './source-mutant.ts';

/** What a person found out about a mutant that no check kills. */
export interface Note extends Patch {
  /**
   * - `equivalent`: nobody outside the gateway can see it, or nothing in the specification speaks of what they see
   * - `open`: a rule forbids it, and a check is missing
   */
  readonly class: 'equivalent' | 'open';
  readonly why: string;
  /** The row of the register whose checks should see it. */
  readonly requirement?: string;
}

const notesFile = new URL('./notes.yaml', import.meta.url);

/** The notes of `notes.yaml`. */
export function loadNotes(): readonly Note[] {
  return (parse(readFileSync(notesFile, 'utf8')) ?? []) as Note[];
}

/** What may differ in these folders without a rule being broken, as long as no check sees it. */
const silentFolders = [
  { under: 'gateway/admin/', why: 'The specification has no administration interface.' },
  { under: 'gateway/endpoints/admin/', why: 'The specification has no administration interface.' },
  { under: 'gateway/openapi/', why: 'The specification has no document that describes the interface.' },
] as const;

/** What is known of a survivor: the note of the mutant, or what holds for its folder; undefined when nothing is. */
export function noteOf(
  { id, file }: { readonly id: string; readonly file: string },
  notes: ReadonlyMap<string, Note>,
): Pick<Note, 'class' | 'why' | 'requirement'> | undefined {
  const folder = silentFolders.find(({ under }) => file.startsWith(under));
  return notes.get(id) ?? (folder === undefined ? undefined : { class: 'equivalent', why: folder.why });
}

/** The notes by the id of the mutant that they speak of. */
export function notesById(notes: readonly Note[]): ReadonlyMap<string, Note> {
  return new Map(notes.map((note) => [idOf(note), note]));
}

/** What is wrong with a note, if anything, as a sentence. */
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
