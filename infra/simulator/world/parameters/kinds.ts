import { z } from 'zod';
import type { Platform } from '../../simulated-platforms.ts';

/** A parameter of the world: its default, its range and where both come from. */
interface Range {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly source: string;
}

export const CHOSEN = 'chosen';

const parameter = (subject: string, { default: usual, min, max, unit, source }: Range) =>
  z
    .number()
    .min(min)
    .max(max)
    .default(usual)
    .describe(`${subject}. Unit: ${unit}. Default ${usual}, range ${min} to ${max}. Source: ${source}.`)
    .meta({ unit, source });

type Of = readonly [subject: string, usual: number, min: number, max: number, unit: string, source?: string];

export const one = (...[subject, usual, min, max, unit, source = CHOSEN]: Of) =>
  parameter(subject, { default: usual, min, max, unit, source });

export const group = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

/** One parameter a platform. */
export const each = (
  subject: string,
  unit: string,
  source: string,
  of: Readonly<Record<Platform, readonly [number, number, number]>>,
) => {
  const at = (platform: Platform) => one(`${subject}, ${platform}`, ...of[platform], unit, source);
  return group({
    x: at('x'),
    instagram: at('instagram'),
    tiktok: at('tiktok'),
    youtube: at('youtube'),
    telegram: at('telegram'),
    bluesky: at('bluesky'),
    linkedin: at('linkedin'),
  });
};

type Triple = readonly [number, number, number];
export const alike = (triple: Triple): Record<Platform, Triple> => ({
  x: triple,
  instagram: triple,
  tiktok: triple,
  youtube: triple,
  telegram: triple,
  bluesky: triple,
  linkedin: triple,
});
/** A default and a range from a third to three times of it. */
export const thrice = (usual: number): Triple => [usual, usual / 3, usual * 3];

/** A share of a whole: the shares of one group are scaled to add up to one. */
export const part = (subject: string, usual: number, slack: number, source: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(usual)
    .describe(
      `${subject}. Unit: share; scaled so that the group adds up to one. Default ${usual}, range ${(usual - slack).toFixed(2)} to ${(usual + slack).toFixed(2)}. Source: ${source}.`,
    )
    .meta({ unit: 'share', source, drawn: [usual - slack, usual + slack] });

export const addUp = <T extends Readonly<Record<string, number>>>(shares: T): T => {
  const sum = Object.values(shares).reduce((a, b) => a + b, 0);
  if (sum === 0) throw new RangeError('the shares of a group are all 0');
  // Rounded, so that a printed document is read back as the same.
  return Object.fromEntries(Object.entries(shares).map(([k, v]) => [k, Number((v / sum).toFixed(12))])) as T;
};
