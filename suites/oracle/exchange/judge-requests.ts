import { type Finding, flag } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { memberDifference, memberOf } from '../compat/same-json.ts';
import { messagesDifferences } from '../compat/same-messages.ts';
import { fieldsOf } from '../media/fields.ts';
import { mediaModel } from '../media/models.ts';
import { mediaFault, readMedia } from '../media/upstream-view.ts';
import { dialectOfPath } from '../native/dialects.ts';
import { wholeFaults } from '../native/whole-request.ts';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';

/** What did not arrive as it was sent, and the rule about it. */
type Fault = Pick<Finding, 'requirement' | 'aspect' | 'expected' | 'actual' | 'member'>;

/** Members of a native body of compat path B whose arrival has a rule of its own. */
const compatBRules: Readonly<Record<string, string>> = {
  contents: 'COMPB-018',
  generationConfig: 'COMPB-004',
  tools: 'COMPB-005',
  toolConfig: 'COMPB-005',
};

/** Judges what an upstream was sent for a call: all that the caller said, and nothing besides ("Chat request", "Endpoints"). */
export function judgeRequest(exchange: Exchange, call: Call, attempt: Attempt): void {
  const text = attempt.body.toString('utf8');
  for (const fault of faultsOf(exchange, call, { path: attempt.path, text }))
    flag(false, { ...fault, exchange, upstream: text.slice(0, 1_500) });
}

interface Seen {
  readonly path: string;
  readonly text: string;
}

function faultsOf(exchange: Exchange, call: Call, seen: Seen): Fault[] {
  const sent = exchange.request.body.toString('utf8');
  switch (call.protocol) {
    case 'chat':
      return wholeFaults(sent, seen).map(({ what, ...texts }) =>
        what === 'turns'
          ? { requirement: 'CHAT-010', aspect: 'turns-as-sent', ...texts }
          : { requirement: 'CHAT-050', aspect: `forwards-${what.replaceAll('_', '-')}`, ...texts },
      );
    case 'compatA':
      return dialectOfPath(seen.path) !== 'messages'
        ? []
        : messagesDifferences(sent, seen.text).map(({ path, expected, ...rest }) => ({
            ...{ ...rest, member: memberOf(path), expected: `${path} as sent: ${expected}` },
          }));
    case 'compatB':
      return dialectOfPath(seen.path) === 'generate-content' ? membersChanged(call, sent, seen.text) : [];
    case 'images':
    case 'submit':
      return mediaFaults(call, seen);
    default:
      return [];
  }
}

function membersChanged({ request }: Call, sent: string, seen: string): Fault[] {
  const names = Object.keys(request ?? {}).filter((name) => name !== 'model');
  return names.flatMap((name) => {
    const found = memberDifference(sent, seen, name);
    if (found === null) return [];
    const { path, expected, actual } = found;
    const rule = { requirement: compatBRules[name] ?? 'COMPB-001', aspect: 'member-arrives' };
    return [{ ...rule, member: memberOf(path), expected: `${path} as sent: ${expected}`, actual }];
  });
}

/** Steps that follow another task have inputs of their own, which its record would have to tell. */
function mediaFaults({ model, request }: Call, seen: Seen): Fault[] {
  const known = mediaModel(model);
  const isFollowUp = [undefined, 'generate', 'imagine'].every((first) => request?.action !== first);
  const view = known === undefined || isFollowUp ? null : readMedia(seen, model);
  const fault = view === null || request === null ? null : mediaFault(request, view);
  if (fault === null) return [];
  const { field, expected, actual } = fault;
  const row = fieldsOf(model).find(({ name }) => name === field)?.row ?? known?.row ?? '';
  return [{ requirement: row, aspect: 'field-arrives', expected: `${field} ${expected}`, actual }];
}
