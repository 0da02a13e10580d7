import type { Rng } from '../../values/seed.ts';
import { placesIn, valueAt, withValue } from '../grammar/body-tree.ts';
import { printBody } from '../grammar/raw-json.ts';
import type { Body, DraftRequest, Subject } from '../grammar/subject.ts';
import { fillers } from './fillers.ts';

/** The recipe of one body: some fields of one subject, each filled with many bytes of one form. */
export interface Genome {
  /** Index of the subject. */
  readonly subject: number;
  readonly parts: readonly GenePart[];
  readonly bytes: number;
}

interface GenePart {
  readonly field: string;
  /** Index of the filler. */
  readonly filler: number;
}

export interface GenomeBounds {
  readonly subjects: readonly Subject[];
  readonly leastBytes: number;
  readonly mostBytes: number;
  /** Whether each body must have a fault that is certainly refused. */
  readonly mustBeRefused: boolean;
}

const mostParts = 3;

export function drawGenome(rng: Rng, bounds: GenomeBounds): Genome {
  const subject = rng.int(bounds.subjects.length);
  return {
    subject,
    parts: [drawPart(rng, bounds.subjects[subject])],
    bytes: sized(bounds.leastBytes * 2 ** rng.int(4), bounds),
  };
}

/** One step away: another form, another field, another size, one part more or less, or another subject. */
export function mutated(genome: Genome, rng: Rng, bounds: GenomeBounds): Genome {
  const subject = bounds.subjects[genome.subject];
  const { parts } = genome;
  switch (rng.int(6)) {
    case 0:
      return { ...genome, bytes: sized(genome.bytes * 2, bounds) };
    case 1:
      return { ...genome, bytes: sized(genome.bytes / 2, bounds) };
    case 2:
      return { ...genome, parts: parts.with(rng.int(parts.length), drawPart(rng, subject)) };
    case 3: {
      const at = rng.int(parts.length);
      const part = parts[at] ?? drawPart(rng, subject);
      return { ...genome, parts: parts.with(at, { ...part, filler: rng.int(fillers.length) }) };
    }
    case 4:
      return parts.length < mostParts
        ? { ...genome, parts: [...parts, drawPart(rng, subject)] }
        : { ...genome, parts: parts.slice(1) };
    default: {
      const other = rng.int(bounds.subjects.length);
      return { ...genome, subject: other, parts: [drawPart(rng, bounds.subjects[other])] };
    }
  }
}

export function grown(genome: Genome, bounds: GenomeBounds): Genome {
  return { ...genome, bytes: bounds.mostBytes };
}

/** Builds the request of a genome. */
export function requestOf(
  { subject: at, parts, bytes }: Genome,
  { subjects, mustBeRefused }: GenomeBounds,
): DraftRequest {
  const subject = subjects[at] as Subject;
  const bearing = subject.whole.find((body) => parts.every(({ field }) => placesIn(body).has(field)));
  let body: unknown = bearing ?? subject.least;
  for (const { field, filler } of parts) {
    const place = placesIn(body).get(field)?.at(-1) ?? [field];
    const value = fillers[filler]?.fill(Math.floor(bytes / parts.length), valueAt(body, place));
    body = withValue(body, place, value);
  }
  const [top = ''] = parts[0]?.field.split(/[.[]/) ?? [];
  const sent = mustBeRefused ? subject.sureFault([top])(body as Body) : body;
  return subject.request(printBody(sent), false);
}

export function nameOf(
  { subject: at, parts, bytes }: Genome,
  { subjects }: Pick<GenomeBounds, 'subjects'>,
): string {
  const filled = parts.map(({ field, filler }) => `${field}: ${fillers[filler]?.name}`).join('; ');
  return `${subjects[at]?.endpoint} ${subjects[at]?.model}, ${filled}, ${Math.round(bytes / 1024)} KiB`;
}

function drawPart(rng: Rng, subject: Subject | undefined): GenePart {
  const fields = subject?.fields ?? [];
  return { field: rng.pick(fields).name, filler: rng.int(fillers.length) };
}

function sized(bytes: number, { leastBytes, mostBytes }: GenomeBounds): number {
  return Math.round(Math.min(mostBytes, Math.max(leastBytes, bytes)));
}
