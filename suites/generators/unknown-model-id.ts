import fc from 'fast-check';
import { chatCatalogue, otherModels } from '../oracle/chat-catalogue.ts';

const known = new Set([...chatCatalogue.map((model) => model.id), ...otherModels]);

/** Strings that are not model ids: random ones, near misses, names that break lookups, very long ones. */
export const unknownModelId: fc.Arbitrary<string> = fc
  .oneof(
    fc.uuid().map((id) => `zz-${id}`),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'null',
      'undefined',
      'default',
      '*',
      '%',
      '../alpha-5-2',
      'alpha',
      'alpha-5',
      'alpha-5-',
      'alpha-5-2-',
      '-alpha-5-2',
    ),
    fc
      .constantFrom(...known)
      .chain((id) => fc.nat({ max: id.length - 1 }).map((cut) => id.slice(0, cut) + id.slice(cut + 1))),
    fc.constantFrom(...known).map((id) => `${id}-latest`),
    fc.constant('m'.repeat(5_000)),
  )
  .filter((id) => id.trim() !== '' && !known.has(id) && !known.has(id.trim()));
