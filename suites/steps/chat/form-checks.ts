import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import type { FormCell, FormFamily } from '../../oracle/form-family.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted, judgeCell, visionModel, visionModels } from './judge-cell.ts';
import { familyModels, onePerFamily } from './upstream-view.ts';

/** One check for each family of a table of forms. In every body, the cell is the only unusual thing. */
export function formChecks(prefix: string, families: readonly FormFamily[]): readonly Check[] {
  return families.map((family) =>
    defineCheck({
      id: `${prefix}.${family.name}`,
      title: family.title,
      requirements: [...family.requirements, 'CHAT-049'],
      kind: 'example',
      needs: [],
      run: (parts) => judgeFamily(parts, family),
    }),
  );
}

async function judgeFamily(parts: CheckParts, family: FormFamily): Promise<void> {
  const { http, target, newScene, judge } = parts;
  const model = modelFor(target, family);
  const twinCell = family.cells.find((cell) => cell.verdict === 'accept');
  if (twinCell === undefined) throw new Error(`the family ${family.name} has no legal form`);
  const twinBody = bodyOf(newScene, twinCell, model);
  const twin = await http.chat(twinBody, { label: 'positive twin' });
  judgeAccepted(judge, twinBody, twin, { requirement: twinCell.requirement, aspect: twinCell.aspect });
  for (const cell of target.few(family.cells, ({ requirement, verdict }) => `${requirement} ${verdict}`)) {
    const verdict = verdictOf(target, cell);
    for (const id of modelsFor(target, family, verdict)) {
      const body = bodyOf(newScene, cell, id);
      const exchange = await http.chat(body, { label: `${cell.title} on ${id}` });
      await part(async () =>
        judgeCell(parts, { ...cell, verdict, codes: codesOf(cell), body, twin }, exchange),
      );
    }
  }
}

/** The models to use. An accepted form reaches an upstream, and each model family handles it differently. */
function modelsFor(target: Target, family: FormFamily, verdict: FormCell['verdict']): readonly string[] {
  if (verdict === 'refuse') return [modelFor(target, family)];
  return family.vision ? onePerFamily(target, visionModels(target)) : familyModels(target);
}

function verdictOf(target: Target, cell: FormCell): FormCell['verdict'] {
  return cell.commonExtra && target.profile.chat.unknown_fields !== 'reject' ? 'open' : cell.verdict;
}

function codesOf(cell: FormCell): readonly ErrorCode[] {
  return cell.commonExtra ? ['invalid_param', 'unsupported_capability'] : ['invalid_param'];
}

function modelFor(target: Target, family: FormFamily): string {
  return family.vision ? visionModel(target) : target.anyModel();
}

function bodyOf(newScene: () => Scene, cell: FormCell, model: string): JsonObject {
  return { model, ...cell.members(newScene().prompt()) };
}
