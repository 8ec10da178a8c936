import { describe, expect, it } from 'vitest';
import { measureElasticity, measureFollowers } from '../../../../infra/simulator/check/accounts.ts';
import { holds } from '../../../../infra/simulator/check/measurement.ts';
import { createReader } from '../../../../infra/simulator/check/reader.ts';
import { checkWorld } from '../../../../infra/simulator/check/world-check.ts';
import { drawParameters } from '../../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, parseParameters } from '../../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';
import { PLATFORMS } from '../../../../src/kernel/platform.ts';

describe('the check of a world', () => {
  it('finds everything in its band in the default world of 5,000 accounts', { tags: 'long' }, () => {
    const measured = checkWorld({ parameters: DEFAULT_PARAMETERS, seed: 7, accounts: 5000 });
    expect(measured.filter((one) => !holds(one))).toEqual([]);
    expect(measured.length).toBeGreaterThan(100);
    expect(measured.every(({ value }) => !Number.isNaN(value))).toBe(true);
  });
  it('finds what follows from the parameters in a drawn world', { tags: 'long' }, () => {
    const measured = checkWorld({ parameters: drawParameters(3), seed: 23, accounts: 5000 });
    expect(measured.filter((one) => one.relative && !holds(one))).toEqual([]);
  });
  it('notices a world that is not as its document says', () => {
    const at = Date.UTC(2026, 9, 1);
    const parameters = parseParameters({
      followers: { sigma: { x: 2.2 }, tail: { x: 1.9 } },
      engagement: { small: -0.55 },
    });
    const reader = createReader(
      createWorld({ seed: 7, size: 30_000, parameters, clock: { now: () => at } }),
      7,
      at,
    );
    const accounts = PLATFORMS.flatMap((platform) =>
      platform === 'x' ? reader.read('accounts', [platform]) : [],
    );
    const judge = (stated: typeof parameters) =>
      [
        ...measureFollowers({ ...reader, parameters: stated }, accounts).filter(({ name }) =>
          name.endsWith(' x'),
        ),
        ...measureElasticity({ ...reader, parameters: stated }, accounts),
      ].filter((one) => !holds(one));
    expect(judge(parameters)).toEqual([]);
    expect(judge(DEFAULT_PARAMETERS).map(({ name }) => name)).toEqual([
      'slope of the CCDF over 10^5 to 10^7, x',
      'elasticity of the engagement rate, below 20,000',
    ]);
  });
});
