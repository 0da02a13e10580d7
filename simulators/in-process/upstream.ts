import type { FaultRule, JournalEntry, Match, Reply, Script, TenantControl } from '../control/client.ts';
import type { CheckAnswer } from '../control/matching.ts';
import { describeIssue, inPlainWords } from '../json/issue.ts';
import { isObject, parseJson } from '../json/json-body.ts';
import type { Predicate } from '../requests/matching.ts';
import { keysSelected } from '../requests/selectors.ts';
import { faultRuleSchema } from '../schemas/fault-rule-schema.ts';
import { parseScript } from '../schemas/script-schema.ts';
import type { OpenSimulators } from '../start.ts';

/** Selects requests; in code also by a predicate. */
export type MatchInCode = Match & { readonly where?: Predicate };

/** A text of the model, a status, or a whole reply, which may name a fault. */
export type ReplyInCode =
  | string
  | number
  | (Omit<Reply, 'fault' | 'tool_calls'> & {
      readonly fault?: NonNullable<Reply['fault']> | string;
      readonly tool_calls?: readonly CallInCode[];
    });

/** A call of a tool; its arguments may be a value, which is sent as JSON. */
type CallInCode = Omit<NonNullable<Reply['tool_calls']>[number], 'arguments'> & {
  readonly arguments: string | object;
};

/** A request that arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  /** Everything that the journal has of the request and its answer. */
  readonly entry: JournalEntry;
}

/** Unused scripts or faults, or requests without a script. */
export class UnmetScripts extends Error {
  override readonly name = 'UnmetScripts';
  readonly check: CheckAnswer;

  constructor(tenant: string, check: CheckAnswer) {
    const unused = check.unused.map(
      ({ id, name, used, replies, match }) =>
        `  not used: ${name ?? id}, ${used} of ${replies} replies taken; it matches ${JSON.stringify(match)}`,
    );
    const unmet = check.unmet.map(
      ({ id, set, when }) => `  not met: ${id}, ${set}; it matches ${JSON.stringify(when)}`,
    );
    const unexpected = check.unexpected.map(
      ({ method, path, why }) => `  not expected: ${method} ${path}; ${why}`,
    );
    const head = `unused scripts or faults, or unexpected requests, at the upstreams of ${tenant}`;
    super([head, ...unused, ...unmet, ...unexpected].join('\n'));
    this.check = check;
  }
}

function ruleOf(fault: string | NonNullable<Reply['fault']> | FaultRule): unknown {
  if (typeof fault === 'string') return { fault: { id: fault } };
  return isObject(fault) && 'id' in fault ? { fault } : fault;
}

/** The upstreams of one tenant, for scripting and inspection in a test. `await using` resets them. */
export class Upstream implements AsyncDisposable {
  readonly name: string;
  /** For clients that append the version to their base URL: messages, generate-content, Azure. */
  readonly url: string;
  /** For clients whose base URL ends with the version: chat-completions, responses. */
  readonly v1: string;
  /** The client for all other settings: scenario, jobs, gates. */
  readonly control: TenantControl;
  readonly #process: Pick<OpenSimulators, 'tenants' | 'now'>;

  constructor(origin: string, control: TenantControl, process: Pick<OpenSimulators, 'tenants' | 'now'>) {
    this.name = control.name;
    this.url = `${origin}/${control.name}/default`;
    this.v1 = `${this.url}/v1`;
    this.control = control;
    this.#process = process;
  }

  /**
   * Scripts the replies of matching requests, one after another; the last one repeats. The newest script that matches answers.
   * Returns the script's id.
   */
  on(matched: MatchInCode, ...replies: readonly ReplyInCode[]): string {
    if (!isObject(matched))
      throw new TypeError("match: an object such as { text: 'hello' }, or {} for every call");
    const { where, ...match } = matched;
    // Other tools take a function here.
    const at = replies.findIndex((reply) => typeof reply === 'function');
    if (at !== -1)
      throw new TypeError(
        `replies[${at}]: a reply is a text, a status or an object; {{text}}, {{model}} and others quote the request`,
      );
    return this.script({ match, replies: replies as Reply[] }, where);
  }

  /** Adds a script with precedence over existing ones and returns its id. @throws TypeError naming an invalid member */
  script(script: Script, where?: Predicate): string {
    const parsed = parseScript(script);
    if (!parsed.ok) throw new TypeError(parsed.bad.message);
    this.#process.tenants.hide(keysSelected(parsed.script.match ?? {}));
    const id = this.#tenant.scripts.add(parsed.script, where);
    if (id === null) throw new RangeError('the tenant has too many scripts');
    return id;
  }

  /**
   * Sets a fault by its name, with a form of it, or as a rule; a rule may also set any reply. It wins over scripts. Returns its
   * id. @throws TypeError naming a bad member
   */
  fault(fault: string | NonNullable<Reply['fault']> | FaultRule): string {
    const parsed = faultRuleSchema.safeParse(ruleOf(fault), inPlainWords);
    if (!parsed.success) throw new TypeError(describeIssue(parsed.error).message);
    this.#process.tenants.hide(keysSelected(parsed.data.when ?? {}));
    const id = this.#tenant.faultRules.add(parsed.data, this.#process.now());
    if (id === null) throw new RangeError('the tenant has too many faults');
    return id;
  }

  /** Whether calls without a script are rejected. */
  set strict(strict: boolean) {
    this.#tenant.settings = { ...this.#tenant.settings, strict };
  }

  /** The requests so far, in order of arrival. */
  requests(): SeenRequest[] {
    return this.#tenant.journal.read({}).entries.map((entry) => {
      const body = Buffer.from(entry.request.body_base64, 'base64');
      const { method, path, headers } = entry.request;
      const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
      return { method, path, headers: named, body, json: parseJson(body), entry };
    });
  }

  /** @throws UnmetScripts when a script or fault was not used, or a request was not expected. */
  verify(): void {
    const check = this.#tenant.check();
    if (Object.values(check).some((found) => found.length > 0)) throw new UnmetScripts(this.name, check);
  }

  /** Resets the tenant and aborts every request in flight. */
  reset(): void {
    this.#tenant.reset();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset();
  }

  get #tenant() {
    const tenant = this.#process.tenants.find(this.name);
    if (tenant === null) throw new RangeError('there are too many tenants');
    return tenant;
  }
}
