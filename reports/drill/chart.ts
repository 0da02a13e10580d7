import { html, type Markup } from '../html/markup.ts';
import type { DrillPhase, DrillReport } from './drill-report.ts';

/** Charts over the time of a drill, as plain SVG, with the phases of its scenario behind them. */

const left = 56;
const right = 16;
const top = 26;
const bottom = 26;
export const chartWidth = 960;

export interface Frame {
  readonly seconds: number;
  readonly height: number;
  /** The value at the upper edge. */
  readonly highest: number;
}

/** The x coordinate of a time. */
export function xOf({ seconds }: Pick<Frame, 'seconds'>, atS: number): number {
  const share = seconds === 0 ? 0 : Math.min(1, Math.max(0, atS / seconds));
  return tenth(left + share * (chartWidth - left - right));
}

/** The y coordinate of a value. */
export function yOf({ height, highest }: Pick<Frame, 'height' | 'highest'>, value: number): number {
  const share = highest === 0 ? 0 : Math.min(1, Math.max(0, value / highest));
  return tenth(height - bottom - share * (height - bottom - top));
}

/** A chart: phases, scale, `body`, and the time axis below. `label` describes it in words. */
export function chart(
  report: DrillReport,
  frame: Frame,
  parts: { label: string; unit: string; body: Markup[] },
): Markup {
  const { height } = frame;
  // On a narrow page the chart scrolls, so it must be focusable. If scaled down, its text would be unreadable.
  return html`<div class="chart" tabindex="0" role="group" aria-label="Chart"><svg viewBox="0 0 ${chartWidth} ${height}" role="img" aria-label="${parts.label}">
${bands(report, frame)}${scale(frame, parts.unit)}${parts.body}${times(frame)}</svg></div>`;
}

/** The phases as bands with their names, and the time at which the upstreams recover. */
function bands({ phases, well_from_s: well }: DrillReport, frame: Frame): Markup[] {
  const drawn = distinct(phases).map(({ name, from_s, until_s }, at) => {
    const [from, until] = [xOf(frame, from_s), xOf(frame, until_s)];
    return html`<rect class="band${at % 2 === 0 ? '' : ' odd'}" x="${from}" y="${top - 18}" width="${tenth(until - from)}" height="${frame.height - bottom - top + 18}"><title>${name}</title></rect><text class="name" x="${from + 4}" y="${top - 6}">${clipped(name, until - from)}</text>`;
  });
  if (well === null || well > frame.seconds) return drawn;
  const at = xOf(frame, well);
  return [
    ...drawn,
    html`<line class="well" x1="${at}" x2="${at}" y1="${top - 18}" y2="${frame.height - bottom}"/><text class="name" x="${at + 4}" y="${top - 6}">well</text>`,
  ];
}

/** Channels often go through the same phase at the same time. */
function distinct(phases: readonly DrillPhase[]): DrillPhase[] {
  const seen = new Map(phases.map((phase) => [`${phase.name} ${phase.from_s}`, phase]));
  return [...seen.values()];
}

/** Approximate width of a character. */
const characterWidth = 6.2;

function clipped(text: string, width: number): string {
  const room = Math.floor((width - 8) / characterWidth);
  if (text.length <= room) return text;
  return room < 3 ? '' : `${[...text].slice(0, room - 1).join('')}…`;
}

function scale(frame: Frame, unit: string): Markup[] {
  return [0, 0.5, 1].map((share) => {
    const value = share * frame.highest;
    const y = yOf(frame, value);
    const words = `${Number(value.toPrecision(3))}${unit}`;
    return html`<line class="grid" x1="${left}" x2="${chartWidth - right}" y1="${y}" y2="${y}"/><text class="tick" text-anchor="end" x="${left - 6}" y="${y + 4}">${words}</text>`;
  });
}

/** Natural steps of a time axis, in seconds. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600];

function times(frame: Frame): Markup[] {
  const step = steps.find((one) => frame.seconds / one <= 10) ?? 7_200;
  return Array.from({ length: Math.floor(frame.seconds / step) + 1 }, (_, at) => {
    const x = xOf(frame, at * step);
    return html`<text class="tick" text-anchor="middle" x="${x}" y="${frame.height - 8}">${at * step} s</text>`;
  });
}

/** A line through the values by bin; a bin without a value leaves a gap. */
export function line(frame: Frame, binS: number, values: readonly (number | null)[], name: string): Markup {
  const points = values.flatMap((value, at) =>
    value === null
      ? []
      : [
          `${at > 0 && values[at - 1] !== null ? 'L' : 'M'}${xOf(frame, (at + 0.5) * binS)} ${yOf(frame, value)}`,
        ],
  );
  return html`<path class="line ${name}" d="${points.join('')}"/>`;
}

/** Stacked bars by bin. */
export function bars(
  frame: Frame,
  binS: number,
  stacks: readonly (readonly { readonly name: string; readonly value: number }[])[],
): Markup[] {
  const width = tenth(Math.max(1, xOf(frame, binS) - xOf(frame, 0) - 1));
  return stacks.flatMap((stack, at) => {
    let sum = 0;
    return stack.map(({ name, value }) => {
      const [lower, upper] = [yOf(frame, sum), yOf(frame, sum + value)];
      sum += value;
      if (value === 0) return html``;
      return html`<rect class="bar-${name}" x="${xOf(frame, at * binS)}" y="${upper}" width="${width}" height="${tenth(lower - upper)}"/>`;
    });
  });
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
