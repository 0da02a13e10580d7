import type { Damage } from './damage.ts';
import { listDamages } from './list-damages.ts';
import { booleanDamages, numberDamages } from './number-damages.ts';
import { syntaxDamages } from './syntax-damages.ts';
import { textDamages } from './text-damages.ts';
import { valueDamages } from './value-damages.ts';

/** Every kind of damage that a field of a body can have. */
export const bodyDamages: readonly Damage[] = [
  ...valueDamages,
  ...textDamages,
  ...numberDamages,
  ...booleanDamages,
  ...listDamages,
  ...syntaxDamages,
];
