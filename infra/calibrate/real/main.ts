import { parseArgs } from 'node:util';
import { drawParameters } from '../../simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../simulator/world/parameters.ts';
import { areaOf, fitDefaultOfX, heldOutOf, labelledOfX, measureRealAudits } from './audit.ts';
import { measureNames } from './names.ts';
import { measureIn } from './worlds.ts';

/** `npm run calibrate:real`: how methods do on real data. */

const { values } = parseArgs({
  options: {
    halves: { type: 'string', default: '40' },
    seed: { type: 'string', default: '2017' },
  },
});
const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

console.log('Names and handles of legislators, with exact intervals of 95 %:');
for (const { what, hits, n, low, high } of measureNames())
  console.log(
    `  ${what.padEnd(24)} ${hits} of ${n} agree: ${percent(hits / n, 2)} (${percent(low, 2)} to ${percent(high, 2)})`,
  );

const model = fitDefaultOfX();
const heldOut = heldOutOf(labelledOfX);
console.log(`\nThe audit's default model of X, on ${heldOut.length} accounts that it was not fitted to:`);
console.log(`  AUC ${areaOf(model, heldOut).toFixed(3)}`);
console.log(
  `  AUC below 5,000 followers ${areaOf(
    model,
    heldOut.filter(({ followers }) => (followers ?? 0) < 5_000),
  ).toFixed(3)}`,
);
if ('transfer' in model.source) {
  const { median, largest } = model.source.transfer;
  console.log(
    `  a share of 10 % in audiences of other traits: off by ${percent(median)} (median), ${percent(largest)} (largest)`,
  );
}

const found = measureRealAudits(Number(values.halves), Number(values.seed));
console.log(`\n${found.halves} random halves, fitted to one and judged on the other, audiences of 500:`);
console.log(`  AUC ${found.area.toFixed(3)}, below 5,000 followers ${found.areaBelow.toFixed(3)}`);
for (const { share, coverage, mostly, width, widthOfLabels } of found.shares)
  console.log(
    `  ${percent(share, 0).padStart(4)} suspicious: coverage ${percent(coverage)}, in nine of ten halves at least ${percent(mostly)}, width ${percent(width)}, ${(width / widthOfLabels).toFixed(2)} times that of 500 labels`,
  );

console.log('\nThe default model in simulated worlds, whose other accounts are unlike those of 2017:');
for (const [name, parameters] of [
  ['default', DEFAULT_PARAMETERS],
  ['--draw 101', drawParameters(101)],
  ['--draw 102', drawParameters(102)],
] as const) {
  const { held, familiar } = measureIn(model, parameters, Number(values.seed));
  console.log(
    `  ${name}: the interval holds the share of ${percent(held)}; ${percent(1 - familiar)} are warned of`,
  );
}
