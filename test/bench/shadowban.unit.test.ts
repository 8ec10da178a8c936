import { describe, expect, it } from 'vitest';
import { countsOf, PRECISION_BAR, precisionOf, RECALL_BAR, recallOf } from '../../bench/shadowban/judge.ts';
import { checkMix } from '../../bench/shadowban/mix.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, type Parameters } from '../../infra/simulator/world/parameters.ts';

const SMALL = { box: 'all', seed: 1, banned: 12, fallen: 12, clear: 24 } as const;

describe('the shadowban check on its own mix of accounts', () => {
  const expectBars = async (parameters: Parameters, faults: number) => {
    const counts = countsOf(await checkMix({ ...SMALL, parameters, faults }));
    for (const part of counts) {
      expect(part.found, part.part).toBeGreaterThan(0);
      expect(part.missed, part.part).toBe(0);
      expect(recallOf(part), part.part).toBeGreaterThanOrEqual(RECALL_BAR);
      expect(precisionOf(part), part.part).toBeGreaterThanOrEqual(PRECISION_BAR);
    }
    return counts;
  };

  it('finds bans of each kind, mistakes no fall of engagement for one, and leaves little unknown', {
    tags: 'long',
  }, async () => {
    const [search, suggestion, ghost] = await expectBars(DEFAULT_PARAMETERS, 0);
    expect([search, suggestion]).toMatchObject([
      { found: 12, unknownBanned: 0, unknownClear: 0 },
      // Of four, a control is banned itself.
      { found: 8, unknownBanned: 4, unknownClear: 0 },
    ]);
    expect(ghost?.found).toBeGreaterThanOrEqual(8);
  });

  it('makes no mistake while three in ten requests fail', { tags: 'long' }, async () => {
    await expectBars(DEFAULT_PARAMETERS, 0.3);
  });

  it('holds in a drawn world as well', { tags: 'long' }, async () => {
    await expectBars(drawParameters(1), 0.1);
  });
});
