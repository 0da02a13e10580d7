import type { ScriptedJob } from '../../control/job-shapes.ts';
import { coloursOf } from '../../encoders/colours.ts';
import { inForm } from '../../encoders/file-form.ts';
import {
  filmFile,
  type GeneratedFile,
  lyricsFile,
  pictureFile,
  soundFile,
} from '../../encoders/generated-file.ts';
import type { Picture } from '../../encoders/png.ts';
import { shapeOf } from '../../encoders/shape.ts';
import { seededRandom } from '../../random.ts';
import type { Job } from '../../state/jobs/job.ts';
import { words } from '../composition/words.ts';
import type { GenerateRequest } from './request.ts';

/** A job that is about to start. */
export interface ResultParts {
  readonly id: string;
  readonly request: GenerateRequest;
  /** Its parent jobs in order. */
  readonly parents: readonly Job[];
  readonly life: ScriptedJob;
  readonly seed: number;
}

/** Duration of a result when the request names none, seconds. */
const defaultSeconds = 20;

/** Characters that a voice speaks per second. */
const spokenPerSecond = 15;

/** The results of the job. Contents depend only on seed, model and request; descriptions depend on the job's id. */
export function makeResults(making: ResultParts): GeneratedFile[] {
  const made = making.request.model.name === 'journey-7-native' ? makePictures(making) : makeSounds(making);
  const { outputs = made.length, file_form: form } = making.life;
  return Array.from({ length: outputs }, (_, at) => made[at % made.length]).flatMap((one) =>
    one === undefined ? [] : [inForm(one, form)],
  );
}

function makePictures({ id, request, parents, seed }: ResultParts): GeneratedFile[] {
  const { params, task, model, content } = request;
  const [parent] = parents;
  const cellOf = (cell: number): Picture | null => parent?.parts.files[cell - 1]?.picture ?? null;
  if (task === 'upscale') {
    const cell = cellOf(params.index);
    if (parent === undefined || cell === null) return [];
    const larger = 4;
    const description = `job ${parent.parts.id} cell ${params.index} upscaled by ${id}`;
    return [pictureFile({ ...cell, width: cell.width * larger, height: cell.height * larger, description })];
  }
  const known = cellOf(1);
  const [width, height] = known === null ? shapeOf(params.ratio, 512) : [known.width, known.height];
  return [1, 2, 3, 4].map((cell) =>
    pictureFile({
      width,
      height,
      ...coloursOf(seed, model.name, content, cell),
      description: `job ${id} cell ${cell}`,
    }),
  );
}

function makeSounds(making: ResultParts): GeneratedFile[] {
  const { id, request, seed } = making;
  const { task, model, content, params } = request;
  const title = `job ${id}`;
  const seconds = making.life.duration_s ?? secondsOf(making);
  switch (task) {
    case 'lyrics':
      return [lyricsFile(seconds, title, linesOf(params.lyric, seed, content))];
    case 'stem':
      return [
        soundFile('mp3', seconds, `${title} vocals`),
        soundFile('mp3', seconds, `${title} instruments`),
      ];
    case 'mv':
      return [filmFile(seconds, title)];
    case 'wav':
      return [soundFile('wav', seconds, title)];
    case 'cover-img': {
      const colours = coloursOf(seed, model.name, content);
      return [pictureFile({ width: 1024, height: 1024, ...colours, description: `${title} cover` })];
    }
    default:
      return [soundFile('mp3', seconds, title)];
  }
}

/** The duration of its parent, unless the request states one; an extension is added to the parent's. */
function secondsOf({ request: { task, params }, parents }: ResultParts): number {
  const before = parents[0]?.parts.files[0]?.seconds ?? null;
  const asked = params.durationSec;
  if (task === 'speak') return Math.max(1, Math.ceil((params.text ?? '').length / spokenPerSecond));
  if (task === 'extend') return (before ?? 0) + (asked ?? defaultSeconds);
  if (derived.has(task)) return before ?? asked ?? defaultSeconds;
  return asked ?? before ?? defaultSeconds;
}

/** Tasks that only change the form of their parent, and so keep its duration. */
const derived: ReadonlySet<string> = new Set([
  'lyrics',
  'stem',
  'mv',
  'wav',
  'add-vocals',
  'instrumental',
  'replace',
]);

/** The lyrics of the request, or generated ones. */
function linesOf(lyric: string | undefined, seed: number, content: string): string[] {
  if (lyric !== undefined && lyric !== '') return lyric.split('\n');
  const random = seededRandom('lyrics', seed, content);
  return Array.from({ length: 8 }, () => Array.from({ length: 6 }, () => random.pick(words)).join(' '));
}
