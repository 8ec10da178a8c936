import { describe, expect, it } from 'vitest';
import { accountLaws, lifeLaws } from '../../../../infra/simulator/check/accounts.ts';
import { holds, shareOf } from '../../../../infra/simulator/check/law.ts';
import { createReader } from '../../../../infra/simulator/check/reader.ts';
import { marketLaws } from '../../../../infra/simulator/check/relations.ts';
import { checkWorld } from '../../../../infra/simulator/check/world-check.ts';
import { drawParameters } from '../../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

describe('the check of a world', () => {
  it.each([
    ['the default world', DEFAULT_PARAMETERS, 7],
    ['a drawn world', drawParameters(3), 23],
  ])('finds that all laws hold in %s', { tags: 'long' }, (_, parameters, seed) => {
    const laws = checkWorld({ parameters, seed, accounts: 3_500 });
    expect(laws.filter((law) => !holds(law))).toEqual([]);
    expect(laws.filter(({ cases }) => cases === 0)).toEqual([]);
  });

  const at = Date.UTC(2026, 9, 1);
  const world = createWorld({ seed: 7, size: 300, parameters: DEFAULT_PARAMETERS, clock: { now: () => at } });
  const reader = createReader(world, 7, at);
  const rows = reader.read('accounts', ['x']);
  const brokenOf = (laws: readonly { readonly name: string; readonly broken: readonly string[] }[]) =>
    laws.filter(({ broken }) => broken.length > 0).map(({ name }) => name);

  it('notices accounts that share an ID, and figures that differ from the series', () => {
    const [first, second] = rows.filter(({ status }) => status === 'active');
    if (!first || !second) throw new Error('this world has no two accounts');
    const wrong = [first, { ...second, id: first.id, followers: second.followers + 2 }];
    const broken = brokenOf(accountLaws(world, reader, wrong));
    expect(broken).toContain('IDs are of one account');
    expect(broken).toContain('an ID leads to its account');
    expect(broken).toContain('followers are their exact figure, rounded');
  });

  it('notices a world that differs from its document', () => {
    const closed = rows.map((row) => ({ ...row, status: 'private' as const }));
    expect(brokenOf(lifeLaws(reader, closed))).toContain('private accounts, x');
    expect(brokenOf(marketLaws({ ...reader, size: reader.size + 1 }))).toEqual([
      'communities have all persons',
    ]);
  });

  it('tolerates only chance differences of a share', () => {
    const cases = Array.from({ length: 1_000 }, (_, n) => n);
    expect(holds(shareOf('close', cases, (n) => n < 115, 0.1))).toBe(true);
    expect(holds(shareOf('far', cases, (n) => n < 200, 0.1))).toBe(false);
  });
});
