import type { Kysely } from 'kysely';
import type { AuditLine, AuditSubject, AuditTrail } from '../../admin/audit-trail.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { PathIds } from '../../http/route.ts';
import type { RouteDescription } from '../../openapi/route-description.ts';
import type { Database } from '../../store/database.ts';

type Asked = Pick<RouteDescription, 'method' | 'path' | 'status'>;

/** The audit line of one request. */
export class Audited {
  readonly #trail: AuditTrail;
  readonly #line: AuditLine;
  readonly #isNew: boolean;
  readonly #onFailure: (cause: unknown) => void;

  constructor(
    trail: AuditTrail,
    onFailure: (cause: unknown) => void,
    { requestId, path, clock, facts }: Exchange,
    { route, ids, body }: { route: Asked; ids: PathIds; body: Readonly<Record<string, unknown>> },
  ) {
    this.#trail = trail;
    this.#onFailure = onFailure;
    this.#isNew = route.status === 201;
    this.#line = {
      atMs: clock.now(),
      token: facts.admin ?? '',
      method: route.method,
      path,
      resource: resourceOf(route),
      resourceId: this.#isNew ? null : (Object.values(ids).at(-1) ?? null),
      accountId: ids.account ?? null,
      requestId,
      changes: body,
    };
  }

  /** Writes the line in the transaction of its change. */
  readonly write = async (trx: Kysely<Database>, result: unknown): Promise<void> => {
    await this.#trail.write(trx, { ...this.#line, ...this.#subjectOf(result) });
  };

  /**
   * Runs a change that cannot share a transaction with its line. Writes the line before the change and completes it
   * afterwards.
   */
  async around<View extends object>(
    run: () => Promise<View>,
    hasChanged: (view: View) => boolean,
  ): Promise<View> {
    const id = await this.#trail.begin(this.#line);
    // The change is made or rejected even if its line fails.
    const note = (noted: Promise<void>): Promise<void> => noted.catch(this.#onFailure);
    try {
      const view = await run();
      await note(hasChanged(view) ? this.#trail.done(id, this.#subjectOf(view)) : this.#trail.drop(id));
      return view;
    } catch (error) {
      // Any other error may have come after the change.
      if (error instanceof GatewayError) await note(this.#trail.drop(id));
      throw error;
    }
  }

  #subjectOf(result: unknown): AuditSubject {
    const { id, account_id: account } = (result ?? {}) as { id?: unknown; account_id?: unknown };
    const resourceId = this.#isNew && typeof id === 'string' ? id : this.#line.resourceId;
    const { resource, accountId } = this.#line;
    if (resource === 'accounts') return { resourceId, accountId: resourceId };
    return { resourceId, accountId: accountId ?? (typeof account === 'string' ? account : null) };
  }
}

/** The collection that a path is about: its last name, or the one before if the last name is an action. */
function resourceOf({ path, status }: Asked): string {
  const names = path.split('/').slice(3);
  const isAction = status !== 201 && names.length > 2 && !names.at(-1)?.startsWith(':');
  const literals = names.filter((name) => !name.startsWith(':'));
  return literals.at(isAction ? -2 : -1) ?? '';
}
