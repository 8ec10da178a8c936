import { type Plan, plansOf, publishedPlans } from '../../src/write/holders/plans.ts';
import { memberOf, sweep } from '../support/follows.ts';
import { createLiveProgram, type LiveProgram } from '../support/live.ts';
import { sighted, unavailable } from '../support/program.ts';

/** The world of the guide's examples: the accounts that they name, and a key for each `key=…` of a request. */
export interface GuideProgram {
  readonly program: LiveProgram;
  readonly keys: Readonly<Record<string, string>>;
}

const PUBLISHED = publishedPlans('A');
const SCALE = PUBLISHED.find('scale') as Plan;

/** Plans on which a request is refused. They come last, so that the lowest plan of each scope is a published one. */
const LIMITED: readonly Plan[] = [
  { ...SCALE, name: 'trial', units: 500, overage_micro_usd: null },
  { ...SCALE, name: 'one-a-minute', requests_per_minute: 1 },
];

export const createGuideProgram = async (): Promise<GuideProgram> => {
  const readAt = new Date(Date.now() - 840_000).toISOString();
  const readAgainAt = new Date(Date.now() - 60_000).toISOString();
  const meteredAt = new Date(Date.now() + 3_600_000).toISOString();
  const program = await createLiveProgram({
    plans: plansOf('guide', [...PUBLISHED.all, ...LIMITED]),
    // The minute of the rate limits lasts however long the examples take.
    meteringTime: () => meteredAt,
  });
  const accounts = [
    ['ada', 8_412_077, '101'],
    ['grace', 1_204_331, '102'],
    ['alan', 90_210, '103'],
  ] as const;
  for (const [handle, followers, id] of accounts) {
    const created = { created_at: '2019-05-04T10:00:00.000Z', display_name: handle.toUpperCase() };
    await program.append('x', handle, sighted(handle, readAt, { id, followers, ...created }));
  }
  await program.append('x', 'quiet', sighted('quiet', readAt, { id: '104', followers: 0, verified: null }));
  await program.append('x', 'hopper', sighted('hopper', readAt, { id: '106', followers: 50 }));
  await program.append('x', 'admiral', sighted('admiral', readAgainAt, { id: '106', followers: 50 }));
  await program.append(
    'x',
    'closed',
    sighted('closed', readAt, { id: '105' }),
    unavailable(readAgainAt, 'absent'),
  );
  await sweep(program.log, [[memberOf(1), memberOf(2), { id: '3', handle: null }]], {
    handle: 'ada',
    owner: '101',
    hour: 30,
  });

  const keyOf = (holder: string) => program.issueKey(SCALE.scopes, { holder, plan: holder });
  const keys = {
    scale: await keyOf('scale'),
    free: await keyOf('free'),
    narrow: await program.issueKey(['accounts:read'], { holder: 'scale' }),
    trial: await keyOf('trial'),
    'one-a-minute': await keyOf('one-a-minute'),
  };
  // The quota of one holder and the minute of another are used up.
  await program.get('/v2/accounts/platforms', keys.trial);
  await program.database.db.query(`update metering.accounts set budget_units = 500 where holder = 'trial'`);
  await program.get('/v2/accounts/platforms', keys['one-a-minute']);
  return { program, keys };
};
