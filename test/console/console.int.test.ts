import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ACTIONS } from '../../src/console/actions.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import {
  consoleAddress,
  isAllowed,
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../src/operations/operators.ts';
import { runOnce } from '../../src/operations/research/research.ts';
import { createAccessLog } from '../../src/write/access-log.ts';
import type { RecordedEvent } from '../../src/write/log/port.ts';
import { PATHS, startTestConsole, type TestConsole, type Visitor } from '../support/console.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

let program: TestProgram;
let tested: TestConsole;
const visitors = {} as Record<OperatorRole, Visitor>;

/** Text that would run if a page took it for its own. */
const EVIL = `<img src=x onerror=alert(1)>"'</script><b>`;

const at = new Date().toISOString();
const append = (stream: string, ...events: { type: string; data: unknown }[]) =>
  program.log.append(
    stream,
    events.map((event) => ({ id: crypto.randomUUID(), ...event })),
    'any',
  );

beforeAll(async () => {
  program = await createTestProgram({ privacy: {} });
  await program.append('x', 'ada', sighted('ada', at, { display_name: EVIL, bio: EVIL }));
  await program.issueKey(['directory:read'], { holder: 'acme' });
  await append('engine-x', {
    type: 'EngineDegraded',
    data: { at, platform: 'x', reason: 'challenge', detail: EVIL, worker: EVIL },
  });
  await append('alarm-BackupOld', {
    type: 'AlarmRaised',
    data: { at, subject: 'service', value: 9, detail: EVIL },
  });
  tested = await startTestConsole(program);
  for (const role of OPERATOR_ROLES) visitors[role] = await tested.logIn(role, role);
});

afterAll(async () => {
  await tested.close();
  await program.close();
});

const events = async (): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  for await (const page of program.log.readAll(0n, {})) all.push(...page.events);
  return all;
};

/** The events that an operator caused since a position. */
const causedBy = async (operator: string, after: bigint) =>
  (await events()).filter(
    ({ position, metadata }) => position > after && metadata.actor === `operator:${operator}`,
  );

describe('who may do what', () => {
  /** A key that can be changed. */
  const aKey = async (): Promise<string> => {
    await visitors.administrator.act('key.issue', { holder: 'acme' });
    const { text } = await visitors.administrator.get('/settings');
    return /key_\w+/.exec(load(text)('.flash').text())?.[0] ?? '';
  };
  const act = (action: string, given: Record<string, string>) => visitors.administrator.act(action, given);
  const jobsEnded = () =>
    until('the work has ended', () => tested.parts.jobs.list().every(({ result }) => result !== null));
  const parked = {
    type: 'ProjectionStreamParked',
    data: { at, projection: 'pools', version: 2, stream: 'pool-x', event: { id: crypto.randomUUID() } },
  };

  /** What each action is done with, after what it needs. Every action has one. */
  const EXAMPLES: Record<string, (n: number) => Promise<Record<string, string>>> = {
    'alarm.acknowledge': async () => {
      await append('alarm-BackupOld', { type: 'AlarmCleared', data: { at, subject: 'service' } });
      await append('alarm-BackupOld', {
        type: 'AlarmRaised',
        data: { at, subject: 'service', value: 9, detail: 'old' },
      });
      return { alarm: 'BackupOld', subject: 'service' };
    },
    'engine.pause': async () => {
      await act('engine.resume', { engine: 'tiktok' });
      return { engine: 'tiktok' };
    },
    'engine.resume': async () => {
      await act('engine.pause', { engine: 'tiktok' });
      return { engine: 'tiktok' };
    },
    'engine.tune': async (n) => ({ engine: 'tiktok', rate: String(n + 2) }),
    'engine.probe': async () => ({ engine: 'tiktok' }),
    'pool.create': async (n) => ({ pool: `made-${n}`, platform: 'x', rule: 'seed' }),
    'pool.tune': async (n) => ({ pool: 'press', share: String(n + 2) }),
    'pool.pause': async () => {
      await act('pool.resume', { pool: 'press' });
      return { pool: 'press' };
    },
    'pool.resume': async () => {
      await act('pool.pause', { pool: 'press' });
      return { pool: 'press' };
    },
    'pool.retire': async () => {
      await act('pool.reopen', { pool: 'other' });
      return { pool: 'other', heir: 'press' };
    },
    'pool.reopen': async () => {
      await act('pool.retire', { pool: 'other', heir: 'press' });
      return { pool: 'other' };
    },
    'pool.add': async (n) => ({ pool: 'press', handles: `handle${n}\nnot a handle` }),
    'pool.move': async (n) => {
      await act('pool.add', { pool: 'press', handles: `moved${n}` });
      await act('pool.reopen', { pool: 'other' });
      return { pool: 'other', handles: `moved${n}` };
    },
    'pool.remove': async (n) => {
      await act('pool.add', { pool: 'press', handles: `removed${n}` });
      return { pool: 'press', handles: `removed${n}` };
    },
    'account.read': async () => ({ account: 'x:ada' }),
    'account.suppress': async (n) => ({ account: `x:hidden${n}` }),
    'account.erase': async (n) => ({ account: `x:erased${n}`, confirm: `x:erased${n}` }),
    'subject.lift': async (n) => {
      await act('account.suppress', { account: `x:lifted${n}` });
      await jobsEnded();
      const { text } = await visitors.administrator.get('/erasures?export=ndjson&table=subjects');
      const all = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { subject: all.find(({ state }) => state === 'suppressed').subject };
    },
    'session.add': async (n) => ({ platform: 'x', label: `of-${n}`, credentials: 'auth_token=secret' }),
    'session.test': async () => ({ session: 'ses_1' }),
    'research.limits': async (n) => ({ observe_only: n === 1 ? 'yes' : 'no', size_cap: String(n * 1_000) }),
    'research.replay': async () => ({ run: crypto.randomUUID() }),
    'models.rebuild': async () => ({ projection: 'research' }),
    'models.verify': async () => ({ projection: 'research' }),
    'models.copy': async () => ({ projection: 'ladders' }),
    'models.drop': async () => {
      await act('models.copy', { projection: 'engines', at: '' });
      const schema = await until(
        'there is a copy',
        async () => /engines_as_of_\d+/.exec((await visitors.administrator.get('/models/engines')).text)?.[0],
      );
      await until('the copy is made', () => tested.parts.jobs.list().every(({ result }) => result !== null));
      return { schema };
    },
    'models.prune': async () => ({}),
    'models.retry': async () => ({}),
    'models.skip': async () => ({ projection: 'pools', stream: parked.data.stream }),
    'holder.add': async (n) => ({ name: `Holder ${n}` }),
    'holder.plan': async (n) => {
      await act('holder.add', { name: `Planned ${n}` });
      return { holder: `planned-${n}`, plan: 'growth' };
    },
    'holder.suspend': async () => {
      await act('holder.resume', { holder: 'acme' });
      return { holder: 'acme' };
    },
    'holder.resume': async () => {
      await act('holder.suspend', { holder: 'acme' });
      return { holder: 'acme' };
    },
    'key.issue': async () => ({ holder: 'acme', label: 'of a test' }),
    'key.rotate': async () => ({ key: await aKey(), grace: '0' }),
    'key.revoke': async () => ({ key: await aKey() }),
    'key.pin': async (n) => ({ key: await aKey(), addresses: `10.0.0.${n}` }),
    'wallet.credit': async (n) => ({ holder: 'acme', amount: '25', reference: `invoice ${n}` }),
    'session.remove': async () => ({ session: 'nobody' }),
    'finding.confirm': async () => ({ finding: 'none' }),
    'finding.dismiss': async () => ({ finding: 'none' }),
    'request.dismiss': async () => ({ request: crypto.randomUUID() }),
    'operator.add': async (n) => ({ operator: `bob${n}`, role: 'viewer' }),
    'operator.remove': async (n) => {
      await act('operator.add', { operator: `eve${n}`, role: 'viewer' });
      return { operator: `eve${n}` };
    },
  };
  /** Actions that append nothing here: they compare, or there is nothing for them to change, which they say. */
  const SILENT = new Set([
    'models.verify',
    'research.replay',
    'models.prune',
    'models.retry',
    'models.skip',
    'session.remove',
    'finding.confirm',
    'finding.dismiss',
    'request.dismiss',
  ]);

  beforeAll(async () => {
    await visitors.administrator.act('pool.create', { pool: 'press', platform: 'x', rule: 'seed' });
    await visitors.administrator.act('pool.create', { pool: 'other', platform: 'x', rule: 'seed' });
  });

  const isDoneByThem = async (name: string, needed: OperatorRole): Promise<void> => {
    let n = 0;
    for (const role of OPERATOR_ROLES) {
      n++;
      const given = await (EXAMPLES[name] as (typeof EXAMPLES)[string])(n);
      const head = await program.log.head();
      const { status } = await visitors[role].act(name, given);
      if (!isAllowed(role, needed)) {
        expect(status).toBe(403);
        expect(await causedBy(role, head)).toEqual([]);
        continue;
      }
      expect(status).toBe(303);
      await jobsEnded();
      const caused = await causedBy(role, head);
      expect(caused.length > 0).toBe(!SILENT.has(name));
      for (const { metadata } of caused) expect(metadata.reason).toBe('a test');
    }
  };
  const TITLE = '%s is done by the role %s and above, with its event, and by nobody else';
  /** They wait until a read model has followed, or until no reader has the build before it. */
  const SLOW = new Set([
    'models.rebuild',
    'pool.add',
    'pool.move',
    'pool.remove',
    'account.suppress',
    'account.erase',
    'subject.lift',
  ]);
  const isSlow = (name: string): boolean => SLOW.has(name);
  const named = (which: (name: string) => boolean) =>
    ACTIONS.filter(({ name }) => which(name)).map(({ name, role }) => [name, role] as const);

  it.for(named((name) => !isSlow(name)))(TITLE, ([name, role]) => isDoneByThem(name, role));
  it.for(named(isSlow))(TITLE, { tags: 'long' }, ([name, role]) => isDoneByThem(name, role));

  it.for(OPERATOR_ROLES)(
    'who has the role %s sees the forms of what it may do, and no others',
    async (role) => {
      for (const path of PATHS) {
        const page = load((await visitors[role].get(path)).text);
        const offered = page('form[action^="/actions/"]')
          .map((_, form) => page(form).attr('action')?.slice('/actions/'.length))
          .get();
        for (const name of offered) {
          const needed = ACTIONS.find((action) => action.name === name)?.role ?? 'administrator';
          expect(isAllowed(role, needed), `${name} on ${path}`).toBe(true);
        }
        if (role === 'viewer') expect(offered).toEqual([]);
      }
    },
  );

  it('an action needs a reason, and tells what is wrong with what was given', async () => {
    const head = await program.log.head();
    for (const [name, given] of [
      ['engine.pause', { engine: 'youtube', reason: ' ' }],
      ['engine.pause', { engine: 'myspace' }],
      ['engine.tune', { engine: 'x', rate: 'fast' }],
      ['wallet.credit', { holder: 'acme', amount: 'much' }],
      ['account.erase', { account: 'x:ada', confirm: 'x:bob' }],
      ['key.issue', { holder: 'nobody' }],
    ] as const) {
      await visitors.administrator.act(name, given);
      const { text } = await visitors.administrator.get('/settings');
      expect(load(text)('[role=alert]').text()).not.toBe('');
    }
    expect(await causedBy('administrator', head)).toEqual([]);
  });

  it('an issued key is shown once, and only to whoever issued it', async () => {
    await visitors.administrator.act('key.issue', { holder: 'acme' });
    const shown = async (visitor: Visitor) => /slk_\w+/.exec((await visitor.get('/holders/acme')).text)?.[0];
    expect(await shown(visitors.operator)).toBeUndefined();
    expect(await shown(visitors.administrator)).toMatch(/^slk_/);
    expect(await shown(visitors.administrator)).toBeUndefined();
  });

  it('after an action the page goes back to a page of the console, never elsewhere', async () => {
    for (const [back, to] of [
      ['/engines/x?window=1m', '/engines/x?window=1m'],
      ['//evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example/', '/'],
    ] as const) {
      const { headers } = await visitors.operator.act('engine.tune', { engine: 'x', rate: '3', back });
      expect(headers.get('location')).toBe(to);
    }
  });
});

describe('an account', () => {
  const act = (action: string, given: Record<string, string>) => visitors.administrator.act(action, given);
  const fact = async (path: string, name: string): Promise<string> => {
    const page = load((await visitors.viewer.get(path)).text);
    return page(`dt:contains("${name}")`).next('dd').text();
  };

  it('that is not read has a page that tells why, whatever keeps it', { tags: 'long' }, async () => {
    await act('pool.create', { pool: 'waits', platform: 'telegram', rule: 'seed' });
    // The last open pool of a platform can't be retired.
    await act('pool.create', { pool: 'stays', platform: 'telegram', rule: 'seed' });
    await act('pool.add', { pool: 'waits', handles: 'adachannel' });
    const tells = (what: string) =>
      until(`the page tells: ${what}`, async () =>
        (await fact('/accounts/telegram/adachannel', 'next reading')).includes(what),
      );
    await tells('No process has read accounts of the platform');
    const otherMonth = ((new Date().getUTCMonth() + 6) % 12) + 1;
    for (const [begin, given, what, end, undo] of [
      ['engine.pause', { engine: 'telegram' }, 'until the engine is resumed', 'engine.resume', {}],
      ['pool.pause', { pool: 'waits' }, 'until the pool waits is resumed', 'pool.resume', {}],
      [
        'pool.tune',
        { pool: 'waits', schedule: `0 0 1 ${otherMonth} *` },
        'the schedule',
        'pool.tune',
        { schedule: 'always' },
      ],
      ['pool.retire', { pool: 'waits' }, 'is retired and has no heir', 'pool.reopen', {}],
    ] as const) {
      await act(begin, given);
      await tells(what);
      await act(end, { ...given, ...undo });
      await tells('No process has read accounts of the platform');
    }
    await act('pool.remove', { pool: 'waits', handles: 'adachannel' });
    await tells('only an operator brings it back');
    expect(await fact('/accounts/telegram/nobodyhere', 'next reading')).toContain('No pool has it');
  });

  it('is moved or removed with all that a filter finds, whose number stands on the button', {
    tags: 'long',
  }, async () => {
    await act('pool.create', { pool: 'many', platform: 'tiktok', rule: 'seed' });
    await act('pool.create', { pool: 'few', platform: 'tiktok', rule: 'seed' });
    await act('pool.add', { pool: 'many', handles: 'bot_a\nbot_b\nhuman' });
    const offered = async (path: string, action: string) => {
      const page = load((await visitors.operator.get(path)).text);
      return page(`form[action="/actions/${action}"]`)
        .map((_, form) => ({
          label: page(form).find('button').text(),
          handles: page(form).find('input[name=handles]').val() as string | undefined,
        }))
        .get();
    };
    expect(await offered('/pools/many', 'pool.remove')).toMatchObject([{ label: 'Remove accounts' }]);
    const [, all] = await offered('/pools/many?named=BOT_', 'pool.remove');
    expect(all?.label).toBe('Remove all 2 that begin with "BOT_"');
    expect(all?.handles?.split('\n').toSorted()).toEqual(['bot_a', 'bot_b']);
    const [, move] = await offered('/pools/many?named=bot_', 'pool.move');
    expect(move?.label).toBe('Move all 2 that begin with "bot_" to another pool');
    const head = await program.log.head();
    await act('pool.move', { pool: 'few', handles: move?.handles ?? '' });
    const caused = await causedBy('administrator', head);
    expect(caused.map(({ type }) => type)).toEqual(['MembersMoved']);
    // After an action of one's own a page is read anew.
    const after = load((await visitors.administrator.get('/pools/many?named=bot_')).text);
    expect(after('#members tbody').text()).toContain('None begins so.');
  });
});

it('a run of research shows what it decided from what, and is replayed', async () => {
  await visitors.administrator.act('pool.create', { pool: 'weighed', platform: 'youtube', rule: 'seed' });
  await until('the pool is known', async () =>
    (await visitors.viewer.get('/pools?export=ndjson&table=pools')).text.includes('weighed'),
  );
  const { run } = await runOnce(tested.parts, { trigger: 'operator', seed: 7 });
  const path = `/research/${run}`;
  const rows = async (id: string) =>
    (await visitors.viewer.get(`${path}?export=ndjson&table=${id}`)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const weighed = (await rows('decisions')).find(({ pool }) => pool === 'weighed');
  expect(weighed['share before']).toBeGreaterThan(0);
  expect((await rows('figures')).map(({ pool }) => pool)).toContain('weighed');
  await visitors.operator.act('research.replay', { run });
  await until('the replay has ended', async () =>
    (await visitors.operator.get(path)).text.includes('identical to the run'),
  );
});

it('all that a request caused is found by its ID', async () => {
  const request = crypto.randomUUID();
  await program.log.append(
    'account-x:asked',
    [
      { id: crypto.randomUUID(), ...sighted('asked', at), metadata: { request_id: request } },
      { id: crypto.randomUUID(), ...sighted('asked', at) },
    ],
    'any',
  );
  const page = load((await visitors.viewer.get(`/events?request=${request}`)).text);
  expect(page('#events tbody tr').length).toBe(1);
  const event = load((await visitors.viewer.get(page('#events tbody td a').first().attr('href') ?? '')).text);
  expect(event(`dd a[href="/events?request=${request}"]`).length).toBe(1);
});

it('an engine tells who paused it, and counts its surfaces', async () => {
  await visitors.operator.act('engine.pause', { engine: 'bluesky' });
  await until('the page tells who paused it', async () => {
    const page = load((await visitors.viewer.get('/engines/bluesky')).text);
    return page('dt:contains("paused by")').next('dd').text() === 'operator:operator';
  });
  await program.append('bluesky', 'counted', sighted('counted', at), sighted('counted', at));
  const surfaces = await visitors.viewer.get('/engines/bluesky/surfaces?export=ndjson&table=surfaces');
  const rows = surfaces.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toMatchObject([{ readings: 2, share: 1 }]);
});

describe('pages', () => {
  it.for(PATHS)(
    '%s answers, shows texts of strangers as texts, and runs nothing but its own scripts',
    async (path) => {
      const { status, headers, text } = await visitors.viewer.get(path);
      expect(status, text).toBe(200);
      const page = load(text);
      expect(page('img, b, iframe, object').length).toBe(0);
      const nonce = /script-src 'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1];
      page('script').each((_, script) => {
        expect(page(script).attr('nonce')).toBe(nonce);
        expect(page(script).attr('src')).toMatch(/^\/assets\//);
      });
      expect(page('[style], [onclick], style').length).toBe(0);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(page('h1').length).toBe(1);
    },
  );

  it('texts of strangers are there, in their words', async () => {
    for (const path of ['/accounts/x/ada', '/engines/x', '/events?stream=account-x:ada'])
      expect(load((await visitors.viewer.get(path)).text).text(), path).toContain('<img src=x');
  });

  it('an account has who asked for it, under which name ever', async () => {
    const log = createAccessLog(program.database.db, program.fence);
    const asked = { platform: 'x', holder: 'acme', operation: 'check_account' } as const;
    await log.record([
      { ...asked, account: 'ada' },
      { ...asked, account: 'bob' },
    ]);
    const page = load((await visitors.viewer.get('/accounts/x/ada?sort=accesses.asked')).text);
    expect(page('#accesses tbody tr').length).toBe(1);
    expect(page('#accesses tbody tr').text()).toContain('acme');
  });

  it('hashes of keys are on no page', async () => {
    const hash = (await events()).flatMap(
      ({ data }) => (data as { key_hash?: string }).key_hash ?? [],
    )[0] as string;
    for (const path of ['/holders/acme', '/events?type=KeyIssued', '/events?stream=holder-acme'])
      expect((await visitors.administrator.get(path)).text).not.toContain(hash);
  });

  it('a refresh is the live part alone', async () => {
    const { text } = await visitors.viewer.get('/engines', { 'hx-request': 'true' });
    expect(text).toContain('<table id="engines">');
    expect(text).not.toContain('<html');
  });

  it('a table is exported as it is shown, and sorted by its heads', async () => {
    const { text, headers } = await visitors.viewer.get('/engines?export=csv&table=engines');
    expect(headers.get('content-disposition')).toBe('attachment; filename="engines.csv"');
    const [head, ...rows] = text.trim().split('\n');
    expect(head).toMatch(/^engine,status,why,/);
    const names = rows.map((row) => row.split(',')[0]);
    const lines = (await visitors.viewer.get('/engines?export=ndjson&table=engines')).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).engine)).toEqual(names);
    const shown = async (sort: string) => {
      const page = load((await visitors.viewer.get(`/engines?sort=${sort}`)).text);
      return page('#engines tbody tr')
        .map((_, row) => page(row).find('td').first().text())
        .get();
    };
    expect(await shown('engines.engine')).toEqual(names.toSorted());
    expect(await shown('-engines.engine')).toEqual(names.toSorted().toReversed());
    expect((await visitors.viewer.get('/engines?export=csv&table=none')).status).toBe(400);
  });

  it('everything that an operator did is in the audit, looked up to the beginning of the log', async () => {
    const readings = new Set(['AccountSighted', 'AccountUnchanged', 'AccountUnavailable', 'PostsSighted']);
    const done = (await events()).filter(
      ({ type, metadata }) => metadata.actor === 'operator:administrator' && !readings.has(type),
    );
    const shown: string[] = [];
    let path: string | undefined = '/audit?actor=operator:administrator';
    while (path !== undefined) {
      const page = load((await visitors.viewer.get(path)).text);
      page('#events tbody tr').each((_, row) => {
        shown.push(page(row).find('td').last().text());
      });
      path = page('a')
        .filter((_, each) => ['next rows', 'Look further back'].includes(page(each).text()))
        .first()
        .attr('href');
    }
    expect(done.length).toBeGreaterThan(20);
    expect(shown).toEqual(done.map(({ position }) => String(position)).toReversed());
  });

  it('what there is not is said to be missing', async () => {
    for (const path of [
      '/engines/myspace',
      '/pools/none',
      '/holders/none',
      '/models/none',
      '/events/none',
      '/none',
      '/holders/%00',
      '/holders/%E0%A4%A',
    ])
      expect((await visitors.viewer.get(path)).status, path).toBe(404);
  });
});

describe('access', () => {
  it('a link logs in once', async () => {
    const token = await tested.token('viewer');
    const page = load((await tested.stranger.get(`/login?token=${token}`)).text);
    // Opening the page is not using the link: scanners of mail open links.
    expect(page('input[name=token]').attr('value')).toBe(token);
    expect((await tested.stranger.post('/login', { token })).status).toBe(303);
    expect((await tested.stranger.post('/login', { token })).status).toBe(403);
  });

  it('a link that is old or changed does not log in', async () => {
    const token = await tested.token('viewer');
    const forged = token.replace('viewer', 'administrator');
    expect((await tested.stranger.post('/login', { token: forged })).status).toBe(403);
    const clock = vi.spyOn(systemClock, 'now').mockReturnValue(systemClock.now() + 5 * 60_000 + 1);
    expect((await tested.stranger.post('/login', { token })).status).toBe(403);
    clock.mockRestore();
    expect((await tested.stranger.post('/login', { token })).status).toBe(303);
  });

  it('a session ends by a logout, by removal, and after twelve hours', async () => {
    const first = await tested.logIn('carl', 'viewer');
    expect((await first.get('/')).status).toBe(200);
    const clock = vi.spyOn(systemClock, 'now').mockReturnValue(systemClock.now() + 12 * 3_600_000 + 1);
    expect((await first.get('/')).status).toBe(401);
    clock.mockRestore();
    await first.post('/logout', { form_token: first.formToken });
    expect((await first.get('/')).status).toBe(401);
    const second = await tested.logIn('carl', 'viewer');
    await visitors.administrator.act('operator.remove', { operator: 'carl' });
    expect((await second.get('/')).status).toBe(401);
  });

  it('a cookie is for this host alone, and no script reads it', async () => {
    const { headers } = await tested.stranger.post('/login', { token: await tested.token('viewer') });
    expect(headers.get('set-cookie')).toMatch(/^sightline_console=.*HttpOnly; SameSite=Strict$/);
  });

  it('without a session there is nothing but the login', async () => {
    for (const path of PATHS) expect((await tested.stranger.get(path)).status, path).toBe(401);
    expect((await tested.stranger.act('engine.pause', { engine: 'x' })).status).toBe(401);
  });

  it('a form of another site, of another session or of no page does nothing', async () => {
    const head = await program.log.head();
    const { operator } = visitors;
    const fields = { form_token: operator.formToken, engine: 'bluesky', reason: 'a test', back: '/' };
    for (const [given, headers] of [
      [fields, { origin: 'https://evil.example' }],
      [fields, { origin: 'null' }],
      [{ ...fields, form_token: visitors.viewer.formToken }, {}],
      [{ ...fields, form_token: '' }, {}],
    ] as const)
      expect((await operator.post('/actions/engine.pause', given, headers)).status).toBe(403);
    expect(await causedBy('operator', head)).toEqual([]);
  });

  it('a name that leads here but is not the console’s is refused', async () => {
    const { hostname, port } = new URL(tested.origin);
    const { request } = await import('node:http');
    const statusFor = (host: string) =>
      new Promise((resolve) => {
        request({ hostname, port, headers: { host, cookie: visitors.viewer.cookie } }, (answer) =>
          resolve(answer.resume().statusCode),
        ).end();
      });
    expect(await statusFor('evil.example')).toBe(421);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
  });

  it('an address that others reach needs a name', () => {
    const config = (more: object) => parseConfig({ DATABASE_URL: 'postgres://a@b/c', ...more });
    expect(() => consoleAddress(config({ CONSOLE_HOST: '0.0.0.0' }))).toThrow(OperatorError);
    expect(
      consoleAddress(config({ CONSOLE_HOST: '0.0.0.0', CONSOLE_ORIGIN: 'https://console.example/' })),
    ).toBe('https://console.example');
    expect(consoleAddress(config({ CONSOLE_HOST: '::1' }))).toBe('http://[::1]:8090');
  });
});
