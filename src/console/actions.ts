/** Everything that an operator can do in the console: each with the least role that may. */

import { systemClock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { parseUsd } from '../kernel/money.ts';
import { PLATFORMS, SOURCES } from '../kernel/platform.ts';
import { accountNamed } from '../operations/account-name.ts';
import { parsePlatform } from '../operations/crawl/read-accounts.ts';
import { controlEngine, parseEngine } from '../operations/engines/engines.ts';
import { acknowledgeAlarm } from '../operations/health/evaluate.ts';
import { activePlans, setPlan } from '../operations/holders/change-holder.ts';
import { addHolder, resumeHolder, suspendHolder } from '../operations/holders/holders.ts';
import { issueKey, parseScopes, pinKey, revokeKey, rotateKey } from '../operations/holders/keys.ts';
import { addOperator, OPERATOR_ROLES, removeOperator } from '../operations/operators.ts';
import {
  createPool,
  NEW_POOL,
  pausePool,
  reopenPool,
  resumePool,
  retirePool,
  tunePool,
} from '../operations/pools/change-pool.ts';
import { withThreshold } from '../operations/pools/forecast.ts';
import { parsePoolName, parseRule, settingsOf } from '../operations/pools/pool-settings.ts';
import {
  addMembers,
  listPools,
  moveMembers,
  parseSeedList,
  poolNamed,
  removeMembers,
} from '../operations/pools/pools.ts';
import {
  copyProjection,
  dropBuild,
  prune,
  rebuildProjection,
  verifyProjection,
} from '../operations/projections/builds.ts';
import { retryParked, skipParked } from '../operations/projections/parked.ts';
import { review } from '../operations/research/findings.ts';
import { setLimits } from '../operations/research/limits.ts';
import { replayRun } from '../operations/research/replay.ts';
import { removeSession } from '../operations/sessions/sessions.ts';
import { carryOut, openErasure } from '../operations/subjects/erase.ts';
import { dismissRequest } from '../operations/subjects/requests.ts';
import { liftSubject, subjectNamed } from '../operations/subjects/subjects.ts';
import { creditWallet } from '../operations/usage/wallet.ts';
import { PROJECTION_NAMES } from '../projections/names.ts';
import { SCOPES } from '../write/holders/plans.ts';
import type { Action, ConsoleContext, Field, Given } from './console.ts';
import { settingTexts, TUNED } from './screens/pools.ts';
import { LIMITS } from './screens/research.ts';

const text = (given: Given, name: string): string => given[name]?.trim() ?? '';
const orNull = (given: Given, name: string): string | null => text(given, name) || null;

/** The number of a field that has one. */
const numberOf = (given: Given, name: string): number => Number(text(given, name));

const wordsOf = (given: Given, name: string): readonly string[] =>
  text(given, name)
    .split(/[\s,]+/)
    .filter((word) => word !== '');

const said = (isChanged: boolean, done: string): string =>
  isChanged ? done : 'Nothing changed: it was so already.';

const poolNames = async (context: ConsoleContext): Promise<readonly string[]> =>
  (await listPools(context)).filter(({ status }) => status !== 'retired').map(({ pool }) => pool);

const planNames = async ({ config }: ConsoleContext): Promise<readonly string[]> =>
  (await activePlans(config)).all.map(({ name }) => name);

const ACCOUNT: Field = { name: 'account', label: 'Account' };
const ENGINE: Field = { name: 'engine', label: 'Engine', options: SOURCES };
const POOL: Field = { name: 'pool', label: 'Pool', options: poolNames };
const HANDLES: Field = {
  name: 'handles',
  label: 'Handles or addresses of profiles, one a line',
  is: 'lines',
};
const HOLDER: Field = { name: 'holder', label: 'Holder' };
const KEY: Field = { name: 'key', label: 'Key' };
const PROJECTION: Field = { name: 'projection', label: 'Read model', options: PROJECTION_NAMES };
const STREAM: Field = { name: 'stream', label: 'Stream', isOptional: true };

/** What became of accounts that were named. */
const changedText = (pool: string, rejected: number, n: number, refused: number): string =>
  [
    `${n} ${n === 1 ? 'account' : 'accounts'} of ${pool} changed`,
    ...(refused === 0 ? [] : [`${refused} refused, since the pool is full`]),
    ...(rejected === 0 ? [] : [`${rejected} lines are no handle`]),
  ].join('; ');

/** Work that goes on after the answer, and how it is shown. */
const started = (isNew: boolean, what: string): string => {
  if (isNew) return `${what}: begun. How far it is stands below.`;
  throw new OperatorError('build_in_progress', `${what}: this runs already.`);
};

/** Carries out what was opened, beyond the page. */
const carriedOut = ({ jobs, ...context }: ConsoleContext, what: string): string => {
  const isNew = jobs.start('erasures', async (signal, onProgress) => {
    await carryOut(context, { signal, onProgress, onStep: () => undefined });
    return `the ${what} is done`;
  });
  return isNew
    ? `The ${what} has begun; Erasures shows how far it is.`
    : `The ${what} follows the one that runs.`;
};

const membersAction = (
  name: string,
  label: string,
  change: (
    context: ConsoleContext,
    pool: Awaited<ReturnType<typeof poolNamed>>,
    handles: readonly string[],
  ) => Promise<{ readonly n: number; readonly refused: number }>,
): Action => ({
  name,
  label,
  role: 'operator',
  fields: [POOL, HANDLES],
  run: async (context, given) => {
    const pool = await poolNamed(context, text(given, 'pool'));
    const list = parseSeedList(pool.platform, text(given, 'handles'));
    const { n, refused } = await change(context, pool, list.handles);
    return changedText(pool.pool, list.rejected.length, n, refused);
  },
});

const reviewAction = (name: string, label: string, status: 'confirmed' | 'dismissed'): Action => ({
  name,
  label,
  role: 'operator',
  fields: [{ name: 'finding', label: 'Finding, or several' }],
  run: async (context, given) => {
    const findings = wordsOf(given, 'finding');
    let n = 0;
    for (const finding of findings)
      if (await review(context, finding, { status, reason: text(given, 'reason') })) n += 1;
    return said(n > 0, findings.length === 1 ? `The finding is ${status}.` : `${n} findings are ${status}.`);
  },
});

export const ACTIONS: readonly Action[] = [
  {
    name: 'alarm.acknowledge',
    label: 'Acknowledge',
    role: 'operator',
    fields: [
      { name: 'alarm', label: 'Alarm' },
      { name: 'subject', label: 'Subject' },
    ],
    run: async ({ log }, given) => {
      const alarm = {
        alarm: text(given, 'alarm'),
        subject: orNull(given, 'subject'),
        note: text(given, 'reason'),
      };
      const n = await acknowledgeAlarm(log, alarm, systemClock.now());
      return said(n > 0, 'Acknowledged: it stays raised until its cause has ended.');
    },
  },
  {
    name: 'engine.pause',
    label: 'Pause',
    role: 'operator',
    fields: [ENGINE],
    run: async (context, given) => {
      const engine = parseEngine(text(given, 'engine'));
      const command = { do: 'pause', why: text(given, 'reason') } as const;
      return said(
        await controlEngine(context, engine, command),
        `${engine} is paused. Its requests end within two seconds.`,
      );
    },
  },
  {
    name: 'engine.resume',
    label: 'Resume, and end its rest',
    role: 'operator',
    fields: [ENGINE],
    run: async (context, given) => {
      const engine = parseEngine(text(given, 'engine'));
      return said(await controlEngine(context, engine, { do: 'resume' }), `${engine} is resumed.`);
    },
  },
  {
    name: 'engine.tune',
    label: 'Set the rate',
    role: 'operator',
    fields: [ENGINE, { name: 'rate', label: 'Requests a second', is: 'number' }],
    run: async (context, given) => {
      const engine = parseEngine(text(given, 'engine'));
      const ratePerS = numberOf(given, 'rate');
      return said(
        await controlEngine(context, engine, { do: 'tune', ratePerS }),
        `${engine} sends ${ratePerS} requests a second, two seconds from now at most.`,
      );
    },
  },
  {
    name: 'engine.probe',
    label: 'Probe now',
    role: 'operator',
    fields: [ENGINE],
    run: (context, given) => context.platforms.probe(context, parseEngine(text(given, 'engine'))),
  },
  {
    name: 'pool.create',
    label: 'Create a pool',
    role: 'operator',
    fields: [
      { name: 'pool', label: 'Name' },
      { name: 'platform', label: 'Platform', options: PLATFORMS },
      { name: 'rule', label: 'Rule', options: ['seed', 'mention', 'link', 'follow', 'demand'] },
      { name: 'sources', label: 'Source pools', is: 'several', options: poolNames, isOptional: true },
      ...TUNED.map(([name, label]): Field => ({ name, label, isOptional: true })),
    ],
    run: async (context, given) => {
      const pool = parsePoolName(text(given, 'pool'));
      await createPool(context, {
        ...NEW_POOL,
        ...settingsOf(settingTexts(given)),
        pool,
        platform: parsePlatform(text(given, 'platform')),
        rule: parseRule(text(given, 'rule')),
        seeds: null,
        depth: null,
        sources: wordsOf(given, 'sources'),
      });
      return `The pool ${pool} is created; crawlers follow it within two seconds.`;
    },
  },
  {
    name: 'pool.tune',
    label: 'Tune',
    role: 'operator',
    fields: [POOL, ...TUNED.map(([name, label]): Field => ({ name, label, isOptional: true }))],
    run: async (context, given) => {
      const pool = text(given, 'pool');
      const settings = await withThreshold(context, pool, settingsOf(settingTexts(given)));
      return said(await tunePool(context, pool, settings), `The pool ${pool} is tuned.`);
    },
  },
  {
    name: 'pool.pause',
    label: 'Pause',
    role: 'operator',
    fields: [POOL],
    run: async (context, given) =>
      said(await pausePool(context, text(given, 'pool'), text(given, 'reason')), 'The pool is paused.'),
  },
  {
    name: 'pool.resume',
    label: 'Resume',
    role: 'operator',
    fields: [POOL],
    run: async (context, given) =>
      said(await resumePool(context, text(given, 'pool')), 'The pool is resumed.'),
  },
  {
    name: 'pool.retire',
    label: 'Retire',
    role: 'operator',
    fields: [
      POOL,
      {
        name: 'heir',
        label: 'Heir; without one its accounts are no longer read',
        options: poolNames,
        isOptional: true,
      },
    ],
    run: async (context, given) =>
      said(
        await retirePool(context, text(given, 'pool'), orNull(given, 'heir'), text(given, 'reason')),
        'The pool is retired. Reopening it undoes that.',
      ),
  },
  {
    name: 'pool.reopen',
    label: 'Reopen',
    role: 'operator',
    fields: [POOL],
    run: async (context, given) =>
      said(await reopenPool(context, text(given, 'pool')), 'The pool is open again.'),
  },
  membersAction('pool.add', 'Add accounts', async (context, pool, handles) => {
    const { recruited, refused } = await addMembers(context, pool, handles);
    return { n: recruited, refused: refused.length };
  }),
  membersAction('pool.move', 'Move accounts here', async (context, pool, handles) => {
    const { changed, refused } = await moveMembers(context, pool, handles);
    return { n: changed, refused: refused.length };
  }),
  membersAction('pool.remove', 'Remove accounts', async (context, pool, handles) => {
    const { changed, refused } = await removeMembers(context, pool, handles);
    return { n: changed, refused: refused.length };
  }),
  {
    name: 'account.read',
    label: 'Read now',
    role: 'operator',
    fields: [ACCOUNT],
    run: (context, given) => context.platforms.read(context, accountNamed(text(given, 'account'))),
  },
  {
    name: 'account.suppress',
    label: 'Suppress',
    hint: 'No answer shows it, and it is read no more. The log keeps it: Erasures has what shows it again.',
    role: 'administrator',
    fields: [ACCOUNT],
    run: async (context, given) => {
      await openErasure(context, accountNamed(text(given, 'account')), null);
      return carriedOut(context, 'suppression');
    },
  },
  {
    name: 'account.erase',
    label: 'Erase for good',
    hint: 'This can’t be undone: the account is forgotten and refused from then on. Write no names into the reason, which stays in the log.',
    role: 'administrator',
    fields: [ACCOUNT, { name: 'confirm', label: 'The account once more, as in x:ada, to confirm it' }],
    run: async (context, given) => {
      if (text(given, 'confirm') !== text(given, 'account'))
        throw new OperatorError('argument_invalid', `To confirm it, write: ${text(given, 'account')}`);
      await openErasure(context, accountNamed(text(given, 'account')));
      return carriedOut(context, 'erasure');
    },
  },
  {
    name: 'subject.lift',
    label: 'Lift',
    hint: 'The account may be read again. What was suppressed is shown again; what was erased stays erased.',
    role: 'administrator',
    fields: [{ name: 'subject', label: 'Subject' }],
    run: async (context, given) => {
      const subject = await subjectNamed(context, text(given, 'subject'));
      const { jobs, ...rest } = context;
      const isNew = jobs.start('lift', async (signal, onProgress) => {
        await liftSubject(rest, subject, { signal, onProgress, onStep: () => undefined });
        return 'it may be read again';
      });
      return started(isNew, 'Lifting');
    },
  },
  {
    name: 'session.add',
    label: 'Add a session',
    hint: 'The credentials are encrypted with SESSIONS_KEY, and shown nowhere.',
    role: 'administrator',
    fields: [
      { name: 'platform', label: 'Platform', options: PLATFORMS },
      { name: 'label', label: 'Label' },
      { name: 'proxy', label: 'Proxy', isOptional: true },
      {
        name: 'credentials',
        label: 'Credentials: JSON, or lines of name=value',
        is: 'lines',
        isSecret: true,
      },
    ],
    run: async (context, given) => {
      const id = await context.platforms.addSession(context, {
        platform: parsePlatform(text(given, 'platform')),
        label: text(given, 'label'),
        proxy: orNull(given, 'proxy'),
        text: text(given, 'credentials'),
      });
      return `${id} is stored. Processes that have SESSIONS_KEY use it within a second.`;
    },
  },
  {
    name: 'session.test',
    label: 'Test a session',
    hint: 'It sends one request. A session that the platform accepts is used again.',
    role: 'operator',
    fields: [{ name: 'session', label: 'Session' }],
    run: (context, given) => context.platforms.testSession(context, text(given, 'session')),
  },
  {
    name: 'research.limits',
    label: 'Limit what runs decide',
    role: 'operator',
    fields: [
      { name: 'observe_only', label: 'Only observe', options: ['no', 'yes'] },
      ...LIMITS.map(([name, label]): Field => ({ name, label, is: 'number', isOptional: true })),
      {
        name: 'pools',
        label: 'Pools that may change; all without any',
        is: 'several',
        options: poolNames,
        isOptional: true,
      },
    ],
    run: async (context, given) => {
      const limits = LIMITS.flatMap(([name]) =>
        text(given, name) === '' ? [] : [[name, numberOf(given, name)]],
      );
      const pools = wordsOf(given, 'pools');
      await setLimits(context, {
        limits: Object.fromEntries(limits),
        pools: pools.length === 0 ? null : pools,
        observe_only: text(given, 'observe_only') === 'yes',
      });
      return 'The next run keeps to them.';
    },
  },
  {
    name: 'research.replay',
    label: 'Replay',
    hint: 'It decides once more from what the run recorded, compares, and changes nothing.',
    role: 'operator',
    fields: [{ name: 'run', label: 'Run' }],
    run: async ({ jobs, ...context }, given) => {
      const run = text(given, 'run');
      const isNew = jobs.start(`replay ${run}`, async () => {
        const { recorded, replayed, differing } = await replayRun(context, run);
        if (recorded !== replayed) return 'the decisions differ from those that were recorded';
        return differing.length === 0
          ? 'identical to the run'
          : `the same decisions; not confirmed by the log: ${differing.join(', ')}`;
      });
      return started(isNew, `Replay of ${run}`);
    },
  },
  {
    name: 'models.rebuild',
    label: 'Rebuild',
    role: 'operator',
    fields: [PROJECTION],
    run: async ({ jobs, ...context }, given) => {
      const name = text(given, 'projection');
      const isNew = jobs.start(`rebuild ${name}`, async (signal, onProgress) => {
        const { schema } = await rebuildProjection(context, name, { signal, onProgress, writers: 1 });
        return `${schema} is served`;
      });
      return started(isNew, `Rebuild of ${name}`);
    },
  },
  {
    name: 'models.verify',
    label: 'Verify',
    role: 'operator',
    fields: [PROJECTION],
    run: async ({ jobs, ...context }, given) => {
      const name = text(given, 'projection');
      const isNew = jobs.start(`verify ${name}`, async (signal, onProgress) => {
        const options = { signal, onProgress, onRow: onProgress, max: 10, writers: 1 };
        const { equal, different } = await verifyProjection(context, name, options);
        return different === 0
          ? `all ${equal} rows equal a rebuild`
          : `${different} of ${equal + different} rows differ`;
      });
      return started(isNew, `Verification of ${name}`);
    },
  },
  {
    name: 'models.copy',
    label: 'Copy as of a time',
    role: 'operator',
    fields: [
      PROJECTION,
      { name: 'at', label: 'Instant, such as 2026-03-01T00:00Z; now without one', isOptional: true },
    ],
    run: async ({ jobs, ...context }, given) => {
      const name = text(given, 'projection');
      const at = orNull(given, 'at');
      const timeMs = at === null ? null : Date.parse(at);
      if (Number.isNaN(timeMs)) throw new OperatorError('argument_invalid', `"${at}" is no instant.`);
      const isNew = jobs.start(`copy ${name}`, async (signal, onProgress) => {
        const asOf = timeMs === null ? undefined : { timeMs };
        const { schema } = await copyProjection(context, name, { asOf }, { signal, onProgress, writers: 1 });
        return `the copy is ${schema}`;
      });
      return started(isNew, `Copy of ${name}`);
    },
  },
  {
    name: 'models.drop',
    label: 'Drop a build',
    role: 'operator',
    fields: [{ name: 'schema', label: 'Schema' }],
    run: async (context, given) =>
      `${(await dropBuild(context, text(given, 'schema'))).projection}: dropped.`,
  },
  {
    name: 'models.prune',
    label: 'Drop what nothing needs',
    role: 'operator',
    fields: [],
    run: async (context) => {
      const { dropped } = await prune(context);
      return dropped.length === 0
        ? 'Everything is needed.'
        : `Dropped: ${dropped.map(({ schema }) => schema).join(', ')}.`;
    },
  },
  {
    name: 'models.retry',
    label: 'Retry what is parked',
    role: 'operator',
    fields: [{ ...PROJECTION, isOptional: true }, STREAM],
    run: async (context, given) => {
      const projection = orNull(given, 'projection');
      const retries = await retryParked(context, orNull(given, 'stream'), {
        projections: projection === null ? undefined : [projection],
      });
      return `${retries.length} streams are tried again within seconds.`;
    },
  },
  {
    name: 'models.skip',
    label: 'Skip what is parked',
    role: 'administrator',
    fields: [PROJECTION, { name: 'stream', label: 'Stream' }],
    run: async (context, given) => {
      const skipped = await skipParked(context, text(given, 'stream'), {
        projections: [text(given, 'projection')],
        reason: text(given, 'reason'),
      });
      return `Skipped at ${skipped.map(({ position }) => position).join(', ')}.`;
    },
  },
  {
    name: 'holder.add',
    label: 'Add a holder',
    role: 'administrator',
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'plan', label: 'Plan; the default one without', options: planNames, isOptional: true },
    ],
    run: async (context, given) => {
      const id = await addHolder(context, {
        name: text(given, 'name'),
        id: null,
        plan: orNull(given, 'plan'),
      });
      return `${id} is added.`;
    },
  },
  {
    name: 'holder.plan',
    label: 'Set the plan',
    role: 'administrator',
    fields: [HOLDER, { name: 'plan', label: 'Plan', options: planNames }],
    run: async (context, given) => {
      const change = { holder: text(given, 'holder'), plan: text(given, 'plan'), revokeSurplus: false };
      const { chosen } = await setPlan(context, change);
      return said(chosen !== null, `${change.holder} is on ${chosen?.plan}: a new period of 30 days begins.`);
    },
  },
  {
    name: 'holder.suspend',
    label: 'Suspend',
    role: 'administrator',
    fields: [HOLDER],
    run: async (context, given) =>
      said(
        await suspendHolder(context, text(given, 'holder'), text(given, 'reason')),
        'All its keys are refused within a second.',
      ),
  },
  {
    name: 'holder.resume',
    label: 'End the suspension',
    role: 'administrator',
    fields: [HOLDER],
    run: async (context, given) =>
      said(await resumeHolder(context, text(given, 'holder')), 'Its keys are accepted again.'),
  },
  {
    name: 'key.issue',
    label: 'Issue a key',
    role: 'administrator',
    fields: [
      HOLDER,
      { name: 'label', label: 'Label', isOptional: true },
      {
        name: 'scopes',
        label: 'Scopes; those of the plan without any',
        is: 'several',
        options: SCOPES,
        isOptional: true,
      },
    ],
    run: async (context, given) => {
      const scopes = wordsOf(given, 'scopes');
      const { key, keyId } = await issueKey(context, {
        holder: text(given, 'holder'),
        scopes: scopes.length === 0 ? null : parseScopes(scopes),
        label: orNull(given, 'label'),
      });
      return `${keyId} is issued. This is shown once:\n${key}`;
    },
  },
  {
    name: 'key.rotate',
    label: 'Rotate a key',
    role: 'administrator',
    fields: [KEY, { name: 'grace', label: 'Hours that the old one stays valid', is: 'number' }],
    run: async (context, given) => {
      const graceMs = numberOf(given, 'grace') * 3_600_000;
      const { key, replaces } = await rotateKey(context, { keyId: text(given, 'key'), graceMs });
      return `${replaces.keyId} is valid until ${replaces.expiresAt}. The new key is shown once:\n${key}`;
    },
  },
  {
    name: 'key.revoke',
    label: 'Revoke a key',
    role: 'administrator',
    fields: [KEY],
    run: async (context, given) => {
      const { changed } = await revokeKey(context, text(given, 'key'));
      return said(changed, 'No process accepts it, within a second.');
    },
  },
  {
    name: 'key.pin',
    label: 'Pin a key to addresses',
    role: 'administrator',
    fields: [KEY, { name: 'addresses', label: 'Addresses or networks, separated by commas' }],
    run: async (context, given) => {
      const { changed } = await pinKey(context, text(given, 'key'), wordsOf(given, 'addresses'));
      return said(changed, 'It is accepted from these addresses only.');
    },
  },
  {
    name: 'wallet.credit',
    label: 'Credit the wallet',
    role: 'administrator',
    fields: [
      HOLDER,
      { name: 'amount', label: 'US dollars', is: 'number' },
      { name: 'reference', label: 'Reference of the payment: the same one counts once' },
    ],
    run: async (context, given) => {
      const amountMicroUsd = parseUsd(text(given, 'amount'));
      if (amountMicroUsd === null)
        throw new OperatorError('argument_invalid', `"${text(given, 'amount')}" is no amount in US dollars.`);
      const credit = { holder: text(given, 'holder'), amountMicroUsd, reference: text(given, 'reference') };
      return said(
        await creditWallet(context, credit),
        `${credit.holder} has ${text(given, 'amount')} US dollars more.`,
      );
    },
  },
  {
    name: 'session.remove',
    label: 'Remove a session',
    role: 'administrator',
    fields: [{ name: 'session', label: 'Session' }],
    run: async (context, given) =>
      `${(await removeSession(context, text(given, 'session'))).label} is removed.`,
  },
  reviewAction('finding.confirm', 'Confirm', 'confirmed'),
  reviewAction('finding.dismiss', 'Dismiss', 'dismissed'),
  {
    name: 'request.dismiss',
    label: 'Dismiss a request',
    role: 'administrator',
    fields: [{ name: 'request', label: 'Request' }],
    run: async (context, given) => {
      await dismissRequest(context, text(given, 'request'));
      return 'The request is dismissed.';
    },
  },
  {
    name: 'operator.add',
    label: 'Add an operator, or change the role of one',
    role: 'administrator',
    fields: [
      { name: 'operator', label: 'Name' },
      { name: 'role', label: 'Role', options: OPERATOR_ROLES },
    ],
    run: async (context, given) =>
      said(
        await addOperator(context, text(given, 'operator'), text(given, 'role')),
        `${text(given, 'operator')} is ${text(given, 'role')} now. For a link: sightline console login ${text(given, 'operator')}`,
      ),
  },
  {
    name: 'operator.remove',
    label: 'Remove an operator',
    role: 'administrator',
    fields: [{ name: 'operator', label: 'Name' }],
    run: async (context, given) => {
      await removeOperator(context, text(given, 'operator'));
      return `${text(given, 'operator')} is removed; the sessions have ended.`;
    },
  },
];
