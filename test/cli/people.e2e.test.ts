import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { DEFAULT_PARAMETERS, hashOf } from '../../infra/simulator/world/parameters.ts';
import { trueOwners } from '../../src/operations/people/verify.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const OTHER_IN_WORLD = 'instagram:id:999999999999999999';

let simulator: Simulator;
let program: TestProgram;
let home: TestHome;
/** Two accounts of one person of the simulator's world. */
let accounts: readonly string[];

beforeAll(async () => {
  simulator = await startSimulator({ seed: 7, size: 60 });
  program = await createTestProgram();
  home = await createTestHome({ DATABASE_URL: program.database.url, LOG_LEVEL: 'error' });
  const owners = await Array.fromAsync(trueOwners(simulator.url));
  const shared = Map.groupBy(owners, ({ person, platform }) => (platform === 'linkedin' ? null : person));
  const [a, b] = [...shared].find(([person, of]) => person !== null && of.length > 1)?.[1] ?? [];
  if (a === undefined || b === undefined) throw new Error('no person of this world has two accounts');
  const at = '2026-10-01T10:00:00.000Z';
  const url = (owner: typeof a) => `${owner.platform}:${owner.handle}`;
  accounts = [url(a), url(b)];
  const address = async (owner: typeof a): Promise<string> => {
    const { body } = await program.get('/v2/accounts/platforms', await program.issueKey());
    const { profile_url_template: template } = body.data.find(
      (platform: { platform: string }) => platform.platform === owner.platform,
    );
    return template.replace('{handle}', owner.handle);
  };
  const links = [[await address(b)], [await address(a)]];
  for (const [n, owner] of [a, b].entries())
    await program.append(
      owner.platform,
      owner.handle,
      sighted(owner.handle, at, { id: owner.id, display_name: 'Nora Quill', links: links[n] as string[] }),
    );
  await program.project();
});
afterAll(async () => {
  await home.remove();
  await program.close();
  await simulator.close();
});

const run = (...args: string[]) => home.run(['people', ...args]);

describe('sightline people', () => {
  it('prints why two accounts are one person, as text and as JSON', async () => {
    const { code, out } = await run('explain', ...accounts);
    expect(code).toBe(0);
    expect(out).toContain('One person.');
    expect(out).toContain('mutual_link');
    const json = await run('explain', ...accounts, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ are_one: true, reasons: [] });
  });

  it('compares persons with the owners that a simulator knows', async () => {
    const { code, out } = await run('verify', '--truth', simulator.url, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      world: hashOf(DEFAULT_PARAMETERS),
      accounts: 2,
      precision: { value: 1 },
      recall: { value: 1 },
    });
    const text = await run('verify', '--truth', simulator.url);
    expect(text.out).toMatch(/precision of pairs +100\.00 %/);
  });

  it('reports a missing build, an unknown account, and a simulator that does not answer', async () => {
    const refused = [
      [['compare', 'people_v2_b1', 'people_v9_b9'], 'people_v'],
      [['explain', accounts[0] ?? '', OTHER_IN_WORLD], OTHER_IN_WORLD],
      [['verify', '--truth', 'http://127.0.0.1:9'], 'is the simulator running there?'],
    ] as const;
    for (const [args, message] of refused) {
      const { code, err } = await run(...args);
      expect(code).toBe(2);
      expect(err).toContain(message);
    }
  });
});
