import { createRng, type Rng } from '../../values/seed.ts';
import type { Damage, PlacedDamage } from '../damages/damage.ts';
import type { RequestDamage } from '../damages/request-damage.ts';
import { requestDamages } from '../damages/request-damages.ts';
import { bodyDamages } from '../damages/value-damages.ts';
import type { BodyField } from '../grammar/body-field.ts';
import { type Place, partsOf, placesIn, textAt, valueAt, withValue } from '../grammar/body-tree.ts';
import { isLarger, printBody } from '../grammar/raw-json.ts';
import type { Body, Subject } from '../grammar/subject.ts';
import { type Cell, cellKey, type FuzzCase } from './fuzz-case.ts';

/** A cell with the subjects that have it, and the damage to apply. */
interface Entry {
  readonly cell: Cell;
  readonly subjects: readonly Subject[];
  readonly damage: Damage | RequestDamage;
}

export interface DeckOptions {
  readonly seed: number;
  /** Whether requests may be accepted and so cost something. Otherwise each has a fault that is certainly refused. */
  readonly mayPay: boolean;
  /** Only cells whose key contains one of these words; all cells when empty. */
  readonly only?: readonly string[];
}

/** One request in this many has more than one kind of damage. */
const severalIn = 6;
/** The longest body of combined damage, characters. Damage inside damage multiplies, so longer bodies get less of it. */
const mostChars = 24 * 1024 * 1024;
/** How many legal bodies are tried when the damage does not fit. */
const tries = 6;

/**
 * The cases of a run. Each is drawn from the seed and its place alone, so it can be drawn again. Each round goes through all
 * cells once.
 */
export class CaseDeck {
  readonly #entries: readonly Entry[];
  readonly #options: DeckOptions;
  #round = { number: -1, order: [] as readonly Entry[] };

  constructor(subjects: readonly Subject[], options: DeckOptions) {
    this.#options = options;
    const { only = [] } = options;
    const all = entriesOf(subjects);
    this.#entries =
      only.length === 0 ? all : all.filter(({ cell }) => only.some((word) => cellKey(cell).includes(word)));
  }

  /** Everything that a run can cover. */
  get cells(): readonly Cell[] {
    return this.#entries.map(({ cell }) => cell);
  }

  /** The case at an index; null when its damage fits no legal body. */
  draw(index: number): FuzzCase | null {
    const entry = this.#entryAt(index);
    if (entry === undefined) return null;
    const rng = createRng(this.#options.seed, `fuzz ${index}`);
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const subject = rng.pick(entry.subjects);
      const drawn =
        'part' in entry.damage
          ? this.#wholeCase(index, entry.cell, entry.damage, subject, rng)
          : this.#fieldCase(index, entry.cell, entry.damage, subject, rng, attempt);
      if (drawn !== null) return drawn;
    }
    return null;
  }

  #entryAt(index: number): Entry | undefined {
    const number = Math.floor(index / Math.max(1, this.#entries.length));
    if (number !== this.#round.number) {
      const order = createRng(this.#options.seed, `fuzz round ${number}`).shuffle(this.#entries);
      this.#round = { number, order };
    }
    return this.#round.order[index % Math.max(1, this.#entries.length)];
  }

  #wholeCase(index: number, cell: Cell, damage: RequestDamage, subject: Subject, rng: Rng): FuzzCase | null {
    const sound = subject.least === null ? null : legalBody(subject, rng);
    if (sound === null && damage.needsBody) return null;
    const isSure = damage.certainty === 'refuse' || this.#options.mayPay || sound === null;
    const tree = sound === null || isSure ? sound : subject.sureFault([])(sound);
    const stream = subject.streams && rng.int(4) === 0;
    const plain = subject.request(tree === null ? Buffer.alloc(0) : printBody(tree), stream);
    return {
      ...{ index, subject, stream, sound, tree: null, cells: [cell] as const },
      request: damage.apply(plain, rng),
      certainty: isSure ? damage.certainty : 'refuse',
      ...{ isNamed: false, isPrivateLink: false, places: [], isLeast: sound === subject.least },
    };
  }

  #fieldCase(
    index: number,
    cell: Cell,
    damage: Damage,
    subject: Subject,
    rng: Rng,
    attempt: number,
  ): FuzzCase | null {
    const sound = bodyWith(subject, cell.field, rng, attempt);
    const first = sound === null ? null : damaged(sound, cell.field, damage, subject, rng);
    if (sound === null || first === null) return null;
    const cells: [Cell, ...Cell[]] = [cell];
    let all: PlacedDamage = first;
    if (rng.int(severalIn) === 0) {
      for (let more = 1 + rng.int(2); more > 0; more -= 1) {
        const other = anotherOf(subject, cell, all.body, rng);
        if (other === null || isLarger(other.damaged.body, mostChars) || !keeps(all, other.damaged.body))
          continue;
        cells.push(other.cell);
        all = together(all, other.damaged);
      }
    }
    if (all.certainty === 'open' && !this.#options.mayPay && typeof all.body === 'object') {
      const [top = ''] = cell.field.split(/[.[]/);
      const body = subject.sureFault([top])(all.body as Body);
      // A refusal may name the added fault instead of the drawn one.
      all = {
        ...all,
        body,
        certainty: 'refuse',
        isNamed: false,
        places: [...all.places, ...added(all.body, body)],
      };
    }
    const isFree = cells.every(({ field }) => field !== 'stream');
    const stream = subject.streams && isFree && rng.int(4) === 0;
    const tree = stream && subject.endpoint !== 'generate' ? streaming(all.body) : all.body;
    return {
      ...{ index, subject, cells, sound, tree, stream },
      request: subject.request(printBody(tree), stream),
      certainty: all.certainty,
      isNamed: all.isNamed,
      isPrivateLink: all.isPrivateLink === true,
      places: all.places,
      isLeast: isNearLeast(sound, subject, cell.field),
    };
  }
}

/** All damage of all endpoints. An endpoint has the fields of all its models. */
function entriesOf(subjects: readonly Subject[]): Entry[] {
  const found = new Map<string, { cell: Cell; subjects: Subject[]; damage: Damage | RequestDamage }>();
  const add = (cell: Cell, subject: Subject, damage: Damage | RequestDamage): void => {
    const entry = found.get(cellKey(cell)) ?? { cell, subjects: [], damage };
    found.set(cellKey(cell), entry);
    entry.subjects.push(subject);
  };
  for (const subject of subjects) {
    const { endpoint, fields, least } = subject;
    for (const field of fields)
      for (const damage of bodyDamages)
        if (fitsTable(damage, field, subject))
          add({ endpoint, field: field.name, kind: damage.kind }, subject, damage);
    for (const damage of requestDamages)
      if (least !== null || !damage.needsBody)
        add({ endpoint, field: damage.part, kind: damage.kind }, subject, damage);
  }
  return [...found.values()];
}

function fitsTable(damage: Damage, field: BodyField, { known }: Subject): boolean {
  if (damage.kind === 'refused by the tables' && known.refused(field.name).length === 0) return false;
  const isItem = field.name.endsWith('[]');
  return damage.fits(field) && !(isItem && /beside|twice, |of its name|^name /.test(damage.kind));
}

function legalBody(subject: Subject, rng: Rng): Body {
  const choice = rng.int(3);
  if (choice === 0 || subject.least === null) return subject.draw(rng.int(2 ** 31));
  return choice === 1 ? subject.least : rng.pick(subject.whole);
}

/** A legal body that has the field: a drawn body, or one of those that have every field. */
function bodyWith(subject: Subject, field: string, rng: Rng, attempt: number): Body | null {
  if (subject.least === null) return null;
  if (attempt < 2) {
    const drawn = rng.int(2) === 0 ? legalBody(subject, rng) : leastWith(subject, field);
    if (drawn !== null && placesIn(drawn).has(field)) return drawn;
  }
  const whole = subject.whole.filter((body) => placesIn(body).has(field));
  if (whole.length > 0) return rng.pick(whole);
  // A field that is in no sample goes to the top level.
  return /^\w+$/.test(field) ? (withValue(subject.least, [field], 'x') as Body) : null;
}

/** The smallest legal body plus one member, so that a refusal can only concern that member. */
function leastWith({ least, whole }: Subject, field: string): Body | null {
  const [top = ''] = field.split(/[.[]/);
  const bearing = whole.find((body) => placesIn(body).has(field));
  return least === null || bearing === undefined ? null : { ...least, [top]: bearing[top] };
}

/** Whether a body has only the members of the smallest one and the field in question. */
function isNearLeast(body: Body, { least }: Subject, field: string): boolean {
  const [top = ''] = field.split(/[.[]/);
  return Object.keys(body).every(
    (name) => name === top || (least !== null && textAt(body, [name]) === textAt(least, [name])),
  );
}

function damaged(
  body: unknown,
  name: string,
  damage: Damage,
  subject: Subject,
  rng: Rng,
): PlacedDamage | null {
  const places = placesIn(body).get(name) ?? [];
  const field = subject.fields.find((one) => one.name === name);
  if (places.length === 0 || field === undefined) return null;
  const place = rng.pick(places);
  const found = damage.apply({ body, place, field, value: valueAt(body, place), known: subject.known, rng });
  return found && { ...found, places: [place] };
}

function anotherOf(
  subject: Subject,
  first: Cell,
  body: unknown,
  rng: Rng,
): { readonly cell: Cell; readonly damaged: PlacedDamage } | null {
  const present = placesIn(body);
  const fields = subject.fields.filter(({ name }) => present.has(name) && name !== first.field);
  if (fields.length === 0) return null;
  const field = rng.pick(fields);
  const damage = rng.pick(bodyDamages.filter((one) => fitsTable(one, field, subject)));
  const other = damaged(body, field.name, damage, subject, rng);
  return (
    other && {
      cell: { endpoint: first.endpoint, field: field.name, kind: damage.kind },
      damaged: other,
    }
  );
}

/** Combines two faults. A refusal is certain if it is for one of them, unless a parser may now read something else. */
function together(one: PlacedDamage, other: PlacedDamage): PlacedDamage {
  return {
    body: other.body,
    certainty: one.certainty === 'refuse' || other.certainty === 'refuse' ? 'refuse' : 'open',
    isNamed: one.isNamed && other.isNamed,
    places: [...one.places, ...other.places],
    ...(one.isPrivateLink || other.isPrivateLink ? { isPrivateLink: true as const } : {}),
  };
}

function streaming(body: unknown): unknown {
  return withValue(body, ['stream'], true);
}

/** The top-level members that differ between two bodies. */
function added(before: unknown, after: unknown): Place[] {
  return partsOf(after)
    .filter(([part, value]) => valueAt(before, [part]) !== value)
    .map(([part]) => [part]);
}

/** Whether another damage leaves the first unchanged. */
function keeps({ body, places }: PlacedDamage, after: unknown): boolean {
  return places.every((place) => textAt(body, place) === textAt(after, place));
}
