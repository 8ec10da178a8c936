import { measureNames } from './names.ts';

/** `npm run calibrate:real`: how methods do on real data, with 95 % intervals. */

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

for (const { what, hits, n, low, high } of measureNames())
  console.log(
    `${what.padEnd(24)} ${hits} of ${n} agree: ${percent(hits / n)} (${percent(low)} to ${percent(high)})`,
  );
