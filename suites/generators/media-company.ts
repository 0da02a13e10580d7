import { absent } from '../oracle/json-text.ts';
import { fieldsOf } from '../oracle/media/fields.ts';
import type { Rng } from '../values/seed.ts';
import type { MediaCell } from './media-cells.ts';
import type { MediaRound } from './media-rounds.ts';

/**
 * Values that must be refused, combined with the other fields of every legal round. Each field and kind of fault has one
 * value, drawn by seed from those closest to legal values.
 */
export function cellsInCompany(
  cells: readonly MediaCell[],
  rounds: readonly MediaRound[],
  rng: Rng,
): MediaCell[] {
  const groups = Map.groupBy(cells, ({ model, field, aspect }) => {
    const isOwn = fieldsOf(model).some(({ name }) => name === field);
    return isOwn ? `${field} ${aspect}` : aspect;
  });
  return [...groups.values()].flatMap((group) =>
    rounds.map((round): MediaCell => {
      const core = group.filter((cell) => cell.core);
      const cell = rng.pick(core.length > 0 ? core : group);
      const others = Object.entries(round.body).filter(([name]) => name !== cell.field);
      const own = cell.value === absent ? [] : [[cell.field, cell.value] as const];
      return {
        ...cell,
        why: `${cell.why}, beside all others`,
        body: Object.fromEntries([...others, ...own]),
      };
    }),
  );
}
