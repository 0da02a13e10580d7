import { JsonText } from '../oracle/json-text.ts';
import { type FieldForm, type Medium, mediaFields } from '../oracle/media/fields.ts';
import { png } from '../oracle/sample-media.ts';

/** Texts and URLs for the values of a case, by which the upstream's journal finds it. */
export interface ValueSources {
  readonly text: string;
  readonly link: (medium: Medium) => string;
}

/** Why a value is invalid. */
export type Fault = 'type' | 'outside' | 'spelling' | 'no-link' | 'too-many';

/** The expected outcome for a value; `either` when both outcomes conform. */
export type ValueVerdict = 'accept' | 'refuse' | 'either';

/**
 * A value of a field with its expected outcome. `core` marks members, boundaries and their neighbours, and the most common
 * wrong type.
 */
export interface FormValue {
  readonly value: unknown;
  readonly verdict: ValueVerdict;
  readonly fault?: Fault;
  readonly core: boolean;
}

/** Values of a form, core values first: legal values, invalid ones, and those that the specification leaves open. */
export function valuesOf(form: FieldForm, sources: ValueSources): readonly FormValue[] {
  switch (form.kind) {
    case 'text':
      return textValues(sources);
    case 'one-of':
      return wordValues(form.values);
    case 'seconds':
      return secondsValues(form.values);
    case 'integer':
      return integerValues(form);
    case 'number':
      return numberValues(form);
    case 'boolean':
      return booleanValues();
    case 'link':
      return linkValues(form, sources);
    case 'links':
      return linksValues(form, sources);
    case 'picture':
      return pictureValues(form.byTask, sources);
    case 'ratio':
      return ratioValues();
    case 'task':
      return refused('type', [5, true, [], {}]);
  }
}

/** One legal value of a form. */
export function legalValue(form: FieldForm, sources: ValueSources): unknown {
  const legal = valuesOf(form, sources).find(({ verdict }) => verdict === 'accept');
  return legal === undefined ? sources.text : legal.value;
}

const accepted = (values: readonly unknown[], core = true): FormValue[] =>
  values.map((value) => ({ value, verdict: 'accept', core }));

/** Refused values of one kind of fault; the first `cores` values are core. */
const refused = (fault: Fault, values: readonly unknown[], cores = values.length): FormValue[] =>
  values.map((value, index) => ({ value, verdict: 'refuse', fault, core: index < cores }));

const open = (values: readonly unknown[]): FormValue[] =>
  values.map((value) => ({ value, verdict: 'either', core: false }));

function textValues({ text }: ValueSources): FormValue[] {
  return [
    ...accepted([text, `\n  ${text}\r\n\n“Low” & <slow> é 🌊\t\n `]),
    ...refused('type', [5, true, [text], { text }, [], {}, 0, false], 2),
    ...open(['', ' ']),
  ];
}

/** Words outside every set of members: words of other models, and other spellings of a ratio. */
const strangers = [
  '1024x1792',
  '1792x1024',
  '512x512',
  'standard',
  'hd',
  '8K',
  'png',
  '2:1',
  '3:2',
  '16x9',
  '16/9',
  '720p',
  'null',
  'NaN',
];

/** The sets of members that fields may have, over all models. */
const wordSets = Object.values(mediaFields)
  .flat()
  .flatMap(({ form }) => (form.kind === 'one-of' ? [form.values] : []));

/** Near misses: the members of all sets that share a member with this set. */
function membersElsewhere(values: readonly string[]): string[] {
  const kin = wordSets.filter((set) => set.some((word) => values.includes(word)));
  return [...new Set(kin.flat())].filter((word) => !values.includes(word));
}

function wordValues(values: readonly string[]): FormValue[] {
  const spellings = values.flatMap((value) => [
    value.toUpperCase(),
    value.toLowerCase(),
    `${value.slice(0, 1).toUpperCase()}${value.slice(1)}`,
  ]);
  const [first = ''] = values;
  const misspelt = [...new Set(spellings)].filter((word) => !values.includes(word));
  return [
    ...accepted(values),
    ...refused('outside', membersElsewhere(values)),
    ...refused('outside', ['', ...strangers.filter((word) => !values.includes(word))], 4),
    ...refused('spelling', [...misspelt.slice(0, 1), `${first} `, ` ${first}`, ...misspelt.slice(1)], 3),
    ...refused('type', [5, [first], true, {}, [], { value: first }], 2),
    ...open([null]),
  ];
}

/** Every length around the bounds of any model ("Video shared fields"), and some that no model has. */
const otherSeconds = [...Array.from({ length: 13 }, (_, second) => second), -5, 60, 3_600];

function secondsValues(values: readonly number[]): FormValue[] {
  const [first = 0] = values;
  const wrong = otherSeconds.filter((value) => !values.includes(value));
  return [
    ...accepted(values),
    ...refused('outside', wrong),
    ...refused('type', [String(first), first + 0.5, true, [first], {}, `${first}s`, 'NaN', 'Infinity'], 2),
    ...open([null, new JsonText(`${first}.0`), new JsonText('1e400')]),
  ];
}

function integerValues({ from, to }: { readonly from?: number; readonly to?: number }): FormValue[] {
  const some = from ?? 1;
  const types = refused(
    'type',
    [String(some), some + 0.5, true, [some], {}, 'NaN', 'Infinity', 'many', ''],
    3,
  );
  const odd = open([null, new JsonText(`${some}.0`), new JsonText('1e400')]);
  // The upstream determines the range of a seed (reading B-20).
  if (from === undefined || to === undefined) {
    const seeds = open([-1, new JsonText('9223372036854775807'), new JsonText('9223372036854775808')]);
    return [...accepted([1, 0, 2_147_483_647]), ...types, ...odd, ...seeds];
  }
  const middle = Math.floor((from + to) / 2);
  return [
    ...accepted([...new Set([from, to, from + 1, to - 1])]),
    ...accepted([middle], false),
    ...refused('outside', [from - 1, to + 1, to * 10 + 7, -to, 2_147_483_648], 2),
    ...types,
    ...odd,
  ];
}

/** The value with three decimals is for gateways that round. */
function numberValues({ from, to }: { readonly from: number; readonly to: number }): FormValue[] {
  const fine = from + Math.round((to - from) * 137) / 1_000;
  return [
    ...accepted([from, to, (from + to) / 2, fine]),
    ...accepted([from + 1e-9, to - 0.001], false),
    ...refused('outside', [from - 0.01, to + 0.01, to + 1e-7, -1, 2, 100, 1e308], 2),
    ...refused('type', ['0.5', true, [], {}, 'NaN', 'high', ''], 2),
    ...open([null, new JsonText('-0.0'), new JsonText('1e400')]),
  ];
}

function booleanValues(): FormValue[] {
  return [
    ...accepted([true, false]),
    ...refused('type', ['true', 1, 0, 'false', 'yes', [], {}, ''], 3),
    ...open([null]),
  ];
}

/** Texts that are not URLs, or not reachable. */
const noLinks = [
  'not a url',
  '',
  'media.example.com/sea.png',
  'ftp://media.example.com/sea.png',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '/sea.png',
  '//media.example.com/sea.png',
  'https://',
  'https:// media.example.com/sea.png',
];

const otherTypes = [5, true, [], {}];

function linkValues(
  { medium, others }: { readonly medium: Medium; readonly others: 'refused' | 'open' },
  sources: ValueSources,
): FormValue[] {
  const link = sources.link(medium);
  const otherLinks = [link.replace('https:', 'http:'), png.dataUri];
  return [
    ...accepted([link]),
    ...accepted([`${link}?size=large&name=%C3%A9#part`], false),
    ...refused('no-link', noLinks, 4),
    ...(others === 'open' ? open(otherLinks) : refused('no-link', otherLinks)),
    ...refused('type', [...otherTypes, [link], { url: link }], 1),
  ];
}

function linksValues(
  { medium, max }: { readonly medium: Medium; readonly max: number },
  sources: ValueSources,
): FormValue[] {
  const link = sources.link(medium);
  const several = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${link}?${index}`);
  // Not in alphabetical order, and with duplicates.
  const repeated = [`${link}?1`, ...several(max - 1)];
  return [
    ...accepted([several(1), several(max), several(max - 1), repeated]),
    ...refused('too-many', [several(max + 1), several(10)], 1),
    ...refused(
      'no-link',
      [[link.replace('https:', 'http:')], [png.dataUri], ...noLinks.map((wrong) => [link, wrong])],
      4,
    ),
    ...refused('type', [link, [5], {}, [null], [[link]], 5, true, [{ url: link }]], 2),
    ...open([[], null]),
  ];
}

function pictureValues(byTask: boolean, sources: ValueSources): FormValue[] {
  const link = sources.link('image');
  const objects = byTask
    ? [{}, { task_id: 5 }, { task_id: null }, { id: 'task_1' }]
    : [{ task_id: 'task_1' }, {}];
  // The table row of one model says https, the row of the other says URL (reading B-78).
  const http = [link.replace('https:', 'http:')];
  return [
    ...accepted([link, png.dataUri]),
    ...refused('type', [5, true, [], [link], ...objects], 2),
    ...refused('no-link', byTask ? [...http, ...noLinks] : noLinks, byTask ? 3 : 2),
    ...open([...(byTask ? [] : http), null, 'data:text/plain,sea', 'data:image/png;base64,***']),
  ];
}

function ratioValues(): FormValue[] {
  return [
    ...accepted(['7:5', '1:1', '16:9', '185:100']),
    ...accepted(['2:3', '21:9', '1001:999'], false),
    ...refused('outside', ['abc', '16x9', '16', '16:', ':9', '16:9:1', '16/9', '', '-1:2', ':', 'a:b'], 4),
    ...refused('type', [5, true, [7, 5], {}, 1.4], 1),
    ...open(['0:1', '1.5:1', '16 : 9', '7:5 ', '10000:1', '07:05', '+7:5', null]),
  ];
}
