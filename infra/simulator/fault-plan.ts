import { z } from 'zod';
import { isoOf } from '../../src/kernel/clock.ts';
import { FAULT_KINDS, type FaultKind, supports } from './fault-kinds.ts';
import { PLATFORMS, platformSchema } from './simulated-platforms.ts';
import { surfacesOf } from './surfaces.ts';
import { mix, pick, unit } from './world/hash.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const plannedFault = z
  .strictObject({
    id: z.string().min(1),
    kind: z.enum(FAULT_KINDS),
    platforms: z.array(platformSchema).min(1),
    /** Of the platforms; omitted: all. */
    surfaces: z.array(z.string().min(1)).min(1).optional(),
    /** Requests of these sessions of X alone. */
    sessions: z.array(z.string().min(1)).min(1).optional(),
    /** Requests through these proxies alone. */
    proxies: z.array(z.string().min(1)).min(1).optional(),
    share: z.number().min(0).max(1).default(1),
    retryAfterS: z.int().min(0).max(86_400).default(30),
    from: instant,
    to: instant,
  })
  .refine(({ from, to }) => from < to, 'from must be before to')
  .refine(
    ({ kind, platforms }) => platforms.every((platform) => supports(platform, kind)),
    'a platform does not support this fault',
  );

/** A fault that begins and ends at stated instants. */
export type PlannedFault = z.output<typeof plannedFault>;

const planSchema = z.strictObject({ faults: z.array(plannedFault) });

/**
 * The plan of a JSON document.
 * @throws {z.ZodError}
 */
export const parsePlan = (document: unknown): readonly PlannedFault[] => planSchema.parse(document).faults;

const HOUR = 3_600_000;
/** Faults that do not stop a run for long. */
const DRAWN: readonly FaultKind[] = [
  'rate_limited',
  'server_error',
  'login_wall',
  'challenge',
  'layout_changed',
  'cut_short',
  'empty',
  'timeout',
];

/** A plan drawn from a seed: for each platform faults of minutes to days, some on one surface alone. */
export const drawPlan = (seed: number, from: number, days: number): readonly PlannedFault[] =>
  PLATFORMS.flatMap((platform, p) => {
    const own = mix(mix(seed, 620), p);
    const count = 2 + Math.floor(unit(own, 0) * 4);
    return Array.from({ length: count }, (_, n): PlannedFault => {
      const key = mix(own, n + 1);
      const kind = pick(
        DRAWN.filter((each) => supports(platform, each)),
        key,
        1,
      );
      const begin = from + Math.floor(unit(key, 2) * days * 24) * HOUR;
      const lasts = Math.ceil(0.25 * 200 ** unit(key, 3)) * HOUR;
      return {
        id: `${platform}-${n}`,
        kind,
        platforms: [platform],
        ...(unit(key, 4) < 0.4 ? { surfaces: [pick(surfacesOf(platform), key, 5)] } : {}),
        share: [0.1, 0.5, 1][Math.floor(unit(key, 6) * 3)] as number,
        retryAfterS: Math.floor(5 + 900 * unit(key, 7)),
        from: begin,
        to: begin + lasts,
      };
    });
  });

/** A planned fault as `/truth` shows it. */
export const faultTruth = ({ from, to, ...fault }: PlannedFault) => ({
  ...fault,
  from: isoOf(from),
  to: isoOf(to),
});
