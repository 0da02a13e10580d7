import { describe, expect, it } from 'vitest';
import { accents, grounds, inks, palette, type Scheme, schemes, tintPercent } from './palette.ts';

type Rgb = [red: number, green: number, blue: number];

function rgb(hex: string): Rgb {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(a: Rgb, b: Rgb): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The background that results from mixing a verdict's colour with the surface, as `color-mix` does. */
function tint(scheme: Scheme, accent: (typeof accents)[number]): Rgb {
  const [colour, surface] = [rgb(palette[scheme][accent]), rgb(palette[scheme].surface)];
  const mix = (at: 0 | 1 | 2): number => (colour[at] * tintPercent + surface[at] * (100 - tintPercent)) / 100;
  return [mix(0), mix(1), mix(2)];
}

const needed = 4.5;

describe.each(schemes)('the %s palette', (scheme) => {
  const colours = palette[scheme];

  it.each([...inks, ...accents])('keeps %s readable on every background', (ink) => {
    for (const ground of grounds) {
      expect(contrast(rgb(colours[ink]), rgb(colours[ground]))).toBeGreaterThanOrEqual(needed);
    }
  });

  it.each(accents)('keeps text readable on the tint of %s', (accent) => {
    const ground = tint(scheme, accent);
    for (const ink of ['ink', 'muted', accent] as const) {
      expect(contrast(rgb(colours[ink]), ground)).toBeGreaterThanOrEqual(needed);
    }
  });

  it.each(accents)('keeps a solid badge of %s readable', (accent) => {
    expect(contrast(rgb(colours['on-accent']), rgb(colours[accent]))).toBeGreaterThanOrEqual(needed);
  });
});
