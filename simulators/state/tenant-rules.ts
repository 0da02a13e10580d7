import type { TenantRule, TenantRuleState } from '../control/rules.ts';
import { isTenantName } from '../control/tenant-name.ts';
import { keyFingerprint } from '../requests/key-fingerprint.ts';
import type { RequestFacts, RequestHead } from '../requests/request-facts.ts';
import { headerOf, headSelects } from '../requests/selectors.ts';

/** The decision of a matching rule for a request. */
export interface RuleMatch {
  readonly tenant: string;
  /** Null keeps the channel of the URL. */
  readonly channel: string | null;
}

/** More rules than any setup has. */
const maxRules = 1000;

/** The rules of a process. */
export class TenantRules {
  #rules: { readonly id: string; readonly rule: TenantRule }[] = [];
  #last = 0;

  /** Adds a rule and returns its id, or null when the limit is reached. */
  add(rule: TenantRule): string | null {
    if (this.#rules.length >= maxRules) return null;
    this.#last += 1;
    const id = `rule-${this.#last}`;
    this.#rules.push({ id, rule });
    return id;
  }

  /** Removes a rule; returns whether it existed. */
  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((known) => known.id !== id);
    return this.#rules.length < before;
  }

  list(): TenantRuleState[] {
    return this.#rules.map(({ id, rule: { when, ...open } }) => ({
      id,
      ...open,
      when: when.key === undefined ? when : { ...when, key: keyFingerprint(when.key) },
    }));
  }

  /** The longest path prefix that a rule removes from the target; empty when no rule does. */
  prefixOf(target: string): string {
    if (this.#rules.length === 0) return '';
    const [path = ''] = target.split('?', 1);
    return this.#rules
      .map(({ rule }) => rule.when.path ?? '')
      .filter((prefix) => prefix !== '' && path.startsWith(`${prefix}/`))
      .reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '');
  }

  /**
   * The first rule that matches. `prefix` is what was removed from the path. Without a body (null) the result is
   * `undecided` as soon as a rule would need the body.
   */
  find(head: RequestHead, prefix: string, body: BodyFacts | null): RuleMatch | 'undecided' | null {
    for (const { rule } of this.#rules) {
      const { path, model, marker, header } = rule.when;
      if ((path !== undefined && path !== prefix) || !headSelects(rule.when, head)) continue;
      const tenant = rule.tenant ?? headerOf(head, header?.name ?? '') ?? '';
      // A caller's header may contain anything; an invalid value names no tenant.
      if (!isTenantName(tenant)) continue;
      // The first rule that may match decides: no later rule may win before this one is evaluated.
      if (body === null && (model !== undefined || marker !== undefined)) return 'undecided';
      if (model !== undefined && model !== body?.model) continue;
      if (marker !== undefined && !body?.body.includes(marker)) continue;
      return { tenant, channel: rule.channel ?? null };
    }
    return null;
  }
}

/** The facts that rules may read from the body. */
type BodyFacts = Pick<RequestFacts, 'body' | 'model'>;
