// What the page knows. One place, so that every part can be drawn from it.

/** @typedef {import('../control/console-shapes.ts').ConsoleRow} Row */
/** @typedef {import('../control/console-shapes.ts').ConsoleTenant} Tenant */

/** More than a journal holds: the page remembers rows whose bytes are gone. The oldest go first. */
export const maxRows = 100_000;
/** So many more may be there, because all rows move up when some are forgotten. */
export const spareRows = 1_000;

/** Tries of one call come soon after each other; the same text later is another call. */
const callGapMs = 30_000;

/** The requests of all tenants in order of arrival, with their place among the tries of their call. */
export class Rows {
  /** @type {Row[]} */
  #all = [];
  /** @type {Map<string, number>} place of a row, counted from the first that ever was */
  #places = new Map();
  #gone = 0;
  /** @type {Map<string, { nth: number, until: number }>} */
  #calls = new Map();
  /** @type {Map<string, number>} */
  #tries = new Map();
  /** What was shown last; it is kept as rows arrive, because to search all of them anew takes longer than a frame. */
  #shown = this.#everything();

  get size() {
    return this.#all.length;
  }

  /** Rows that are no longer remembered. */
  get gone() {
    return this.#gone;
  }

  /** @param {readonly Row[]} rows */
  put(rows) {
    for (const row of rows) {
      // Now, in small parts, and not for all of them with the first letter of a search.
      textOf(row);
      const name = nameOf(row);
      const place = this.#places.get(name);
      const before = place === undefined ? undefined : this.#all[place - this.#gone];
      if (place === undefined) {
        this.#places.set(name, this.#gone + this.#all.length);
        this.#all.push(row);
      } else this.#all[place - this.#gone] = row;
      this.#countTry(name, row);
      this.#putShown(before, row);
    }
    if (this.#all.length > maxRows + spareRows) this.#forget(this.#all.length - maxRows);
  }

  /** @param {readonly string[]} tenants */
  clear(tenants) {
    const kept = this.#all.filter(({ tenant }) => !tenants.includes(tenant));
    this.#all = kept;
    this.#shown = this.#everything();
    this.#gone = 0;
    this.#places = new Map(kept.map((row, place) => [nameOf(row), place]));
    for (const map of [this.#calls, this.#tries])
      for (const name of [...map.keys()])
        if (tenants.some((tenant) => name.startsWith(`${tenant}\n`))) map.delete(name);
  }

  /** @param {string} tenant @param {number} n @returns {Row | undefined} */
  find(tenant, n) {
    const place = this.#places.get(nameOf({ tenant, n }));
    return place === undefined ? undefined : this.#all[place - this.#gone];
  }

  /** Which try of its call a row is; 1 for the first. @param {Pick<Row, 'tenant' | 'n'>} row */
  tryOf(row) {
    return this.#tries.get(nameOf(row)) ?? 1;
  }

  /**
   * The rows of a tenant (of all, when it is empty) that have a text in them. The same array as rows arrive.
   * @param {string} tenant @param {string} text
   */
  shown(tenant, text) {
    const key = `${tenant}\n${text}`;
    if (this.#shown.key === key) return this.#shown.rows;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    /** @param {Row} row */
    const fits = (row) =>
      (tenant === '' || row.tenant === tenant) && words.every((word) => textOf(row).includes(word));
    this.#shown =
      tenant === '' && words.length === 0
        ? { ...this.#everything(), key }
        : { key, fits, rows: this.#all.filter(fits) };
    return this.#shown.rows;
  }

  /** @returns {{ key: string, fits: ((row: Row) => boolean) | null, rows: Row[] }} */
  #everything() {
    return { key: '\n', fits: null, rows: this.#all };
  }

  /** @param {Row | undefined} before @param {Row} row */
  #putShown(before, row) {
    const { fits, rows } = this.#shown;
    if (fits === null) return;
    const [was, is] = [before !== undefined && fits(before), fits(row)];
    if (was || is) rows.splice(this.#placeIn(rows, row), was ? 1 : 0, ...(is ? [row] : []));
  }

  /** Where a row stands, or would stand, among some that are in order. @param {readonly Row[]} rows @param {Row} row */
  #placeIn(rows, row) {
    const placeOf = (/** @type {Row | undefined} */ one) =>
      one === undefined ? 0 : (this.#places.get(nameOf(one)) ?? 0);
    const place = placeOf(row);
    let [from, to] = [0, rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (placeOf(rows[middle]) < place) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** @param {string} name @param {Row} row */
  #countTry(name, row) {
    if (row.call === null || this.#tries.has(name)) return;
    const call = `${row.tenant}\n${row.call}`;
    const known = this.#calls.get(call);
    const nth = known !== undefined && row.at_ms - known.until < callGapMs ? known.nth + 1 : 1;
    this.#calls.set(call, { nth, until: row.at_ms });
    this.#tries.set(name, nth);
  }

  /** @param {number} count */
  #forget(count) {
    const forgotten = this.#all.splice(0, count);
    const { fits, rows } = this.#shown;
    if (fits !== null) rows.splice(0, forgotten.filter(fits).length);
    for (const row of forgotten) {
      this.#places.delete(nameOf(row));
      this.#tries.delete(nameOf(row));
    }
    this.#gone += count;
    if (this.#calls.size > maxRows) this.#calls.clear();
  }
}

/** @param {Pick<Row, 'tenant' | 'n'>} row */
export function nameOf({ tenant, n }) {
  return `${tenant}\n${n}`;
}

/** Where a row keeps what a search looks at: a map of 100,000 rows would take longer than to search them. */
const searched = Symbol('searched');

/** @param {Row & { [searched]?: string }} row */
function textOf(row) {
  const { tenant, channel, method, path, model, status, fault, by, ended, waiting_at } = row;
  row[searched] ??=
    `${tenant} ${channel} ${method} ${path} ${model ?? ''} ${status ?? ''} ${fault?.id ?? ''} ${by ?? ''} ${ended} ${waiting_at ?? ''}`.toLowerCase();
  return row[searched];
}
