import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import type { FormCell, FormFamily } from '../../oracle/form-family.ts';
import { judgeAccepted, judgeCell, visionModel, visionModels } from './judge-cell.ts';
import { familyModels, onePerFamily } from './upstream-view.ts';

/** One check for each family of a table of forms: every cell is the one special thing about its body. */
export function formChecks(prefix: string, families: readonly FormFamily[]): readonly Check[] {
  return families.map((family) =>
    defineCheck({
      id: `${prefix}.${family.name}`,
      title: family.title,
      requirements: [...family.requirements, 'CHAT-049'],
      kind: 'example',
      needs: [],
      run: (kit) => judgeFamily(kit, family),
    }),
  );
}

async function judgeFamily(kit: CheckParts, family: FormFamily): Promise<void> {
  const model = modelFor(kit, family);
  const twinCell = family.cells.find((cell) => cell.verdict === 'accept');
  if (twinCell === undefined) throw new Error(`the family ${family.name} has no legal form`);
  const twinBody = bodyOf(kit, twinCell, model);
  const twin = await kit.http.chat(twinBody, { label: 'positive twin' });
  judgeAccepted(kit, twinBody, twin, { requirement: twinCell.requirement, aspect: twinCell.aspect });
  for (const cell of family.cells) {
    const verdict = verdictOf(kit, cell);
    for (const id of modelsFor(kit, family, verdict)) {
      const body = bodyOf(kit, cell, id);
      const exchange = await kit.http.chat(body, { label: `${cell.title} on ${id}` });
      judgeCell(kit, { ...cell, verdict, codes: codesOf(cell), body, twin }, exchange);
    }
  }
}

/** What is accepted goes on to an upstream, and there each family is another story. */
function modelsFor(kit: CheckParts, family: FormFamily, verdict: FormCell['verdict']): readonly string[] {
  if (verdict === 'refuse') return [modelFor(kit, family)];
  return family.vision ? onePerFamily(kit, visionModels(kit)) : familyModels(kit);
}

function verdictOf(kit: CheckParts, cell: FormCell): FormCell['verdict'] {
  return cell.commonExtra && kit.target.profile.chat.unknown_fields !== 'reject' ? 'open' : cell.verdict;
}

function codesOf(cell: FormCell): readonly ErrorCode[] {
  return cell.commonExtra ? ['invalid_param', 'unsupported_capability'] : ['invalid_param'];
}

function modelFor(kit: CheckParts, family: FormFamily): string {
  return family.vision ? visionModel(kit) : kit.target.anyModel();
}

function bodyOf(kit: CheckParts, cell: FormCell, model: string): JsonObject {
  return { model, ...cell.members(kit.newScene().prompt()) };
}
