import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../../infra/simulator/world/account.ts';
import { LANGUAGES, TEXTS } from '../../../src/api/plugins/privacy/texts.ts';
import { startServer } from '../../../src/api/server/app.ts';
import { type Act, codeOf, dayOf } from '../../../src/crawlers/live-read/ownership.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { carryOut, openErasure } from '../../../src/operations/subjects/erase.ts';
import { dismissRequest, listRequests } from '../../../src/operations/subjects/requests.ts';
import { listSubjects } from '../../../src/operations/subjects/subjects.ts';
import { CHROMIUM, isRoot } from '../../support/chromium.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../../support/live.ts';
import { createTestProgram, sighted, unavailable } from '../../support/program.ts';

const signal = new AbortController().signal;
const SECRET = Buffer.alloc(32, 5);
const PROVABLE = ['x', 'instagram', 'tiktok', 'youtube', 'telegram', 'bluesky'] as const;
const OTHERS: Readonly<Record<Act, Act>> = { erase: 'undo', undo: 'export', export: 'erase' };

let program: LiveProgram;
let addresses = 0;
/** An address that attempted nothing yet. */
const newAddress = () => `203.0.113.${++addresses}`;

const createPrivacyProgram = (privacy: Readonly<Record<string, string>>): Promise<LiveProgram> =>
  createLiveProgram({ privacy, verificationSecrets: () => [{ secret: SECRET }] });

beforeAll(async () => {
  program = await createPrivacyProgram({});
});
afterAll(() => program.close());
afterEach(async () => {
  program.simulator.overrides.clear();
  await program.database.db.query(sql`delete from erasure.attempts`);
  await program.database.db.query(sql`delete from erasure.open`);
});

const accountOf = (platform: Platform, n = 0): Account => {
  let left = n;
  return program.account(
    platform,
    (one) =>
      isOpen(one) && (platform === 'telegram' ? one.kind === 'channel' : one.kind !== 'bot') && left-- === 0,
  );
};

/** A browser: it keeps the cookie, and sends forms as the page has them. */
const visit = (of: LiveProgram = program, remoteAddress = newAddress()) => {
  let cookie = '';
  let page = '';
  const took = (response: Awaited<ReturnType<typeof of.app.inject>>) => {
    const set = response.headers['set-cookie'];
    if (typeof set === 'string') cookie = set.split(';')[0] as string;
    page = response.body;
    return { status: response.statusCode, page, headers: response.headers };
  };
  const hidden = (): Record<string, string> => {
    const form = page.slice(page.lastIndexOf('<form'));
    return Object.fromEntries(
      [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
        name as string,
        value as string,
      ]),
    );
  };
  return {
    open: async (headers: Record<string, string> = {}, query = '') =>
      took(await of.app.inject({ url: `/privacy${query}`, remoteAddress, headers: { cookie, ...headers } })),
    submit: async (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      took(
        await of.app.inject({
          method: 'POST',
          url: '/privacy',
          remoteAddress,
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          payload: new URLSearchParams({ ...hidden(), ...fields }).toString(),
        }),
      ),
    code: () => /<code>([^<]+)<\/code>/.exec(page)?.[1] ?? '',
    session: () => cookie.split('=')[1] ?? '',
  };
};

const show = (account: Account, text: string, part: 'bio' | 'displayName' | 'post' = 'bio', of = program) =>
  of.simulator.overrides.set(account.platform, account.index, { [part]: text });

/** Proves an account for an act, up to the check. */
const begun = async (act: Act, { platform, handle }: Account, of = program) => {
  const browser = visit(of);
  await browser.open();
  const { status } = await browser.submit({ platform, account: handle, act });
  expect(status).toBe(200);
  expect(browser.code()).toMatch(new RegExp(`^sightline-${act}-[\\da-z]{4}-[\\da-z]{4}-[\\da-z]{4}$`));
  return browser;
};

const proven = async (act: Act, account: Account, of = program): Promise<string> => {
  const browser = await begun(act, account, of);
  show(account, `Hello ${browser.code().toUpperCase()}.`, 'bio', of);
  const { page, status } = await browser.submit();
  expect(status).toBe(200);
  return page;
};

const openRows = async () =>
  (
    await program.database.db.query<{ platform: string; handles: string[]; days: number; released: boolean }>(
      sql`select platform, handles, extract(epoch from due_at - now())::float8 / 86400 as days,
        released_at is not null as released from erasure.open order by opened_at`,
    )
  ).rows;

describe.each(PROVABLE)('an account of %s', (platform) => {
  it('is hidden by a code in its bio and erased after the delay, until when the same proof undoes it', async () => {
    const account = accountOf(platform);
    expect(await proven('erase', account)).toContain(TEXTS.en.outcomes.hidden.split('{')[0]);
    const [row] = await openRows();
    expect(row).toMatchObject({ platform, handles: [account.handle], released: false });
    expect(row?.days).toBeGreaterThan(6.9);
    expect(row?.days).toBeLessThan(7.1);
    await carryOut(program.subjects, { signal });
    expect((await listSubjects(program.subjects))[0]).toMatchObject({ state: 'suppressed', platform });
    expect(program.fence.has(platform, 'handle', account.handle)).toBe(true);
    expect(await proven('undo', account)).toContain(TEXTS.en.outcomes.shown.slice(0, 10));
    expect((await listSubjects(program.subjects))[0]).toMatchObject({ state: 'released' });
    expect(await openRows()).toMatchObject([{ released: true }]);
    await program.database.db.query(sql`delete from erasure.open`);
  });
});

describe('a code', () => {
  const [account] = [{ get: () => accountOf('x') }];
  const outcomeOf = async (
    act: Act,
    given: (code: string, session: string) => string,
    part?: 'displayName' | 'post',
  ) => {
    const browser = await begun(act, account.get());
    show(account.get(), given(browser.code(), browser.session()), part);
    return browser.submit();
  };

  it.each(['displayName', 'post'] as const)('in the %s of the account is none', async (part) => {
    const { page } = await outcomeOf('erase', (code) => code, part);
    expect(page).toContain(TEXTS.en.outcomes.no_code);
    expect(await openRows()).toEqual([]);
  });

  it.each(Object.entries(OTHERS))('for %s is none for %s, nor is one of ownership', async (act, other) => {
    const named = await outcomeOf(act as Act, (code) => code.replace(act, other));
    expect(named.page).toContain(TEXTS.en.outcomes.no_code);
    const own = await begun(other as Act, account.get());
    const { page } = await outcomeOf(act as Act, () => own.code());
    expect(page).toContain(TEXTS.en.outcomes.no_code);
    const claim = { holder: 'privacy', platform: 'x' as const, account: account.get().handle };
    const ownership = await outcomeOf(act as Act, () => codeOf(SECRET, claim, dayOf(Date.now())));
    expect(ownership.page).toContain(TEXTS.en.outcomes.no_code);
    expect(await openRows()).toEqual([]);
  });

  it('of an act does not verify ownership', async () => {
    const key = await program.issueKey();
    const browser = await begun('erase', account.get());
    show(account.get(), browser.code());
    const { body } = await program.get(`/v2/scrape/x/verify?handle=${account.get().handle}`, key);
    expect(body.data).toMatchObject({ verified: false });
  });

  it('is of one browser, and of one account', async () => {
    const other = await begun('erase', account.get());
    const { page } = await outcomeOf('erase', () => other.code());
    expect(page).toContain(TEXTS.en.outcomes.no_code);
    const another = await begun('erase', accountOf('x', 1));
    const second = await outcomeOf('erase', () => another.code());
    expect(second.page).toContain(TEXTS.en.outcomes.no_code);
    expect(await openRows()).toEqual([]);
  });

  it('counts once', async () => {
    const one = accountOf('x', 2);
    const browser = await begun('export', one);
    show(one, browser.code());
    const code = browser.code();
    const fields = { platform: 'x', account: one.handle, act: 'export', step: 'check' };
    const madeAt = String(Math.floor(Date.now() / 1_000));
    await browser.open();
    for (const expected of [TEXTS.en.outcomes.ready_later.split('{')[0], TEXTS.en.outcomes.used]) {
      const seconds = [...Array(30).keys()].map((ago) => String(Number(madeAt) - ago));
      const madeAtS = seconds.find(
        (each) =>
          program.services.ownHand?.codeOf(browser.session(), {
            act: 'export',
            account: accountNamed(`x:${one.handle}`),
            madeAtS: Number(each),
          }) === code,
      );
      const { page } = await browser.submit({ ...fields, made_at: madeAtS ?? '' });
      expect(page).toContain(expected);
      await browser.open();
    }
  });

  it('is valid for an hour', async () => {
    const browser = visit();
    await browser.open();
    const named = { act: 'erase' as const, account: accountNamed(`x:${account.get().handle}`) };
    const now = Math.floor(Date.now() / 1_000);
    for (const madeAtS of [now - 3_700, now + 60]) {
      const code = program.services.ownHand?.codeOf(browser.session(), { ...named, madeAtS }) ?? '';
      show(account.get(), code);
      const { page } = await browser.submit({
        platform: 'x',
        account: account.get().handle,
        act: 'erase',
        step: 'check',
        made_at: String(madeAtS),
      });
      expect(page).toContain(TEXTS.en.outcomes.expired);
      await browser.open();
    }
    expect(await openRows()).toEqual([]);
  });
});

describe('what nobody can check', () => {
  it.each(['private', 'suspended'] as const)(
    'as an account that is %s, goes to the operator',
    async (status) => {
      const account = program.account('x', (one) => one.status === status);
      const browser = await begun('erase', account);
      const { page } = await browser.submit();
      expect(page).toContain('name="contact"');
      expect(await openRows()).toEqual([]);
    },
  );

  it('as an account that is not there, goes to the operator', async () => {
    const browser = visit();
    await browser.open();
    await browser.submit({ platform: 'x', account: 'nobody_has_this', act: 'erase' });
    expect((await browser.submit()).page).toContain('name="contact"');
  });

  it('as a handle without an ID that was free in between, goes to the operator', async () => {
    const { handle, platform, index } = accountOf('telegram', 1);
    const at = (minute: number) => new Date(Date.UTC(2026, 8, 1, 0, minute)).toISOString();
    await program.append(
      'telegram',
      handle,
      sighted(handle, at(1), { id: null }),
      unavailable(at(2), 'absent'),
    );
    const browser = visit();
    await browser.open();
    await browser.submit({ platform, account: handle, act: 'erase' });
    program.simulator.overrides.set(platform, index, { bio: browser.code() });
    expect((await browser.submit()).page).toContain('name="contact"');
    expect(await openRows()).toEqual([]);
  });

  it('as a profile of LinkedIn, goes to the operator at once, who dismisses it or erases the account', async () => {
    const { db } = program.database;
    const sent = async (account: string, contact: string) => {
      const browser = visit();
      await browser.open();
      await browser.submit({ platform: 'linkedin', account, act: 'erase' });
      expect(browser.code()).toBe('');
      return browser.submit({ contact });
    };
    expect((await sent('ada-lovelace', '')).status).toBe(400);
    expect((await sent('ada-lovelace', 'x'.repeat(201))).status).toBe(400);
    expect((await sent('ada-lovelace', 'ada@example.org')).page).toContain(TEXTS.en.asked);
    expect((await sent('bob-example', 'bob@example.org')).page).toContain(TEXTS.en.asked);
    const requests = await listRequests({ db });
    expect(requests).toMatchObject([
      { act: 'erase', platform: 'linkedin', account: 'ada-lovelace', contact: 'ada@example.org' },
      { account: 'bob-example' },
    ]);
    await dismissRequest(program.subjects, requests[1]?.id ?? '');
    await expect(dismissRequest(program.subjects, requests[1]?.id ?? '')).rejects.toThrow('no such request');
    await openErasure(program.subjects, accountNamed('linkedin:ada-lovelace'), null);
    await carryOut(program.subjects, { signal });
    expect(await listRequests({ db })).toEqual([]);
    await db.query(sql`delete from erasure.open`);
  });

  it('as an account that an operator hid, is not undone here, and goes to the operator to be erased', async () => {
    const account = accountOf('x', 3);
    await openErasure(program.subjects, accountNamed(`x:${account.handle}`), null);
    await carryOut(program.subjects, { signal });
    expect(await proven('erase', account)).toContain('name="contact"');
    expect(await proven('undo', account)).toContain(TEXTS.en.outcomes.nothing_to_undo);
    expect((await listSubjects(program.subjects))[0]).toMatchObject({ state: 'suppressed' });
    await program.database.db.query(sql`delete from erasure.open`);
  });
});

describe('attempts', () => {
  const attempt = async (address: string): Promise<number> => {
    const browser = visit(program, address);
    await browser.open();
    await browser.submit({ platform: 'linkedin', account: 'somebody', act: 'erase' });
    return (await browser.submit({ contact: 'me' })).status;
  };

  it('are five an hour for an address, and for a /64 of IPv6', async () => {
    for (let n = 0; n < 5; n++) {
      expect(await attempt('203.0.113.250')).toBe(200);
      expect(await attempt(`2001:db8:1:2::${n}`)).toBe(200);
    }
    expect(await attempt('203.0.113.250')).toBe(429);
    expect(await attempt('2001:db8:1:2:ffff::1')).toBe(429);
    expect(await attempt('2001:db8:1:3::1')).toBe(200);
    await program.database.db.query(sql`update erasure.attempts set at = at - interval '1 hour'`);
    expect(await attempt('203.0.113.250')).toBe(200);
    await program.database.db.query(sql`delete from erasure.requests`);
  });

  it('are a hundred in all', async () => {
    await program.database.db.query(sql`
      insert into erasure.attempts (caller, at) select int4send(n), now() from generate_series(1, 99) n`);
    expect(await attempt(newAddress())).toBe(200);
    expect(await attempt(newAddress())).toBe(429);
    await program.database.db.query(sql`delete from erasure.requests`);
  });
});

describe('the page', () => {
  it('takes no form of another site or browser', async () => {
    const browser = visit();
    await browser.open();
    const fields = { platform: 'linkedin', account: 'somebody', act: 'erase', step: 'ask', contact: 'me' };
    expect((await browser.submit(fields, { cookie: '' })).status).toBe(400);
    await browser.open();
    expect((await browser.submit({ ...fields, token: 'AAAA' })).status).toBe(400);
    await browser.open();
    expect((await browser.submit({ ...fields, step: 'erase' })).status).toBe(400);
    const other = visit();
    await other.open();
    const token = program.services.ownHand?.formToken(other.session()) ?? '';
    expect((await browser.submit({ ...fields, token })).status).toBe(400);
    expect(await listRequests({ db: program.database.db })).toEqual([]);
  });

  it('runs no script, is in no frame and no cache, and keeps its session from scripts and other sites', async () => {
    const browser = visit();
    const { headers, page } = await browser.open();
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).not.toContain('unsafe');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['set-cookie']).toMatch(/; Path=\/privacy; .*HttpOnly; SameSite=Strict$/);
    expect(page).not.toContain('<script');
  });

  it('escapes whatever a visitor writes', async () => {
    const hostile = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&{code}";
    const browser = visit();
    await browser.open();
    const { page, status } = await browser.submit({ platform: 'x', account: hostile, act: 'erase' });
    expect(status).toBe(400);
    expect(page).toContain(TEXTS.en.faults.account);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
  });

  it.each(Object.keys(LANGUAGES))('speaks %s if the browser asks for it, or its reader', async (language) => {
    const asked = await visit().open({ 'accept-language': `${language}-XX,en;q=0.1` });
    const chosen = await visit().open({ 'accept-language': 'en' }, `?lang=${language}`);
    for (const { page } of [asked, chosen]) {
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain(TEXTS[language as keyof typeof LANGUAGES].next);
      expect(page).not.toMatch(/\{\w+\}/);
    }
  });

  it('answers an address 60 times a second', async () => {
    const browser = visit();
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n++) statuses.add((await browser.open()).status);
    expect([...statuses]).toEqual([200, 429]);
  });

  it('is not there without the key of erasures, or if it is switched off', async () => {
    for (const privacy of [undefined, { PRIVACY_PAGE: 'off' }]) {
      const off = await createTestProgram(privacy === undefined ? {} : { privacy });
      expect((await off.app.inject({ url: '/privacy' })).statusCode).toBe(404);
      await off.close();
    }
  });
});

describe('without a delay', () => {
  let prompt: LiveProgram;
  beforeAll(async () => {
    prompt = await createPrivacyProgram({ PRIVACY_DELAY: '0' });
  });
  afterAll(() => prompt.close());

  it('an export is the account’s own, for the browser that proved it or proves it again', async () => {
    const account = accountOf('x');
    const key = await prompt.issueKey();
    await prompt.get(`/v2/scrape/x/verify?handle=${account.handle}`, key);
    await prompt.project();
    const browser = await begun('export', account, prompt);
    show(account, browser.code(), 'bio', prompt);
    expect((await browser.submit()).page).toContain(TEXTS.en.outcomes.ready);
    const { page: lines, headers } = await browser.submit({ step: 'download' });
    expect(headers['content-disposition']).toContain('attachment');
    const held = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(held[0]).toMatchObject({ held: 'account', platform: 'x', handles: [account.handle] });
    expect(held.map((each) => each.type)).toContain('AccountSighted');
    // Another browser has none until it proves the account.
    const other = visit(prompt);
    await other.open();
    expect((await other.submit({ step: 'download' })).headers['content-disposition']).toBeUndefined();
    expect(await proven('export', account, prompt)).toContain(TEXTS.en.outcomes.ready);
  });
});

describe.skipIf(CHROMIUM === undefined)('the page in a browser', { tags: 'long' }, () => {
  it('hides an account without scripts, and has nothing that keeps anybody out', async () => {
    const { default: AxeBuilder } = await import('@axe-core/playwright');
    const api = await startServer(program.services, { host: '127.0.0.1', port: 0 });
    const browser: Browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      chromiumSandbox: !isRoot,
    });
    try {
      const context = await browser.newContext({ locale: 'de-DE', bypassCSP: true });
      const page = await context.newPage();
      const accessible = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      };
      await page.goto(`${api.url}/privacy`);
      await accessible();
      const account = accountOf('bluesky', 1);
      await page.getByLabel(TEXTS.de.platform).selectOption('bluesky');
      await page.getByLabel(TEXTS.de.account).fill(account.handle);
      await page.getByLabel(TEXTS.de.acts.erase).check();
      await page.getByRole('button', { name: TEXTS.de.next }).click();
      await accessible();
      show(account, (await page.locator('code').textContent()) ?? '');
      await page.getByRole('button', { name: TEXTS.de.check }).click();
      await page.getByRole('status').waitFor();
      await accessible();
      expect(await page.getByRole('status').textContent()).toContain('gelöscht');
      expect(await openRows()).toMatchObject([{ platform: 'bluesky' }]);
      const plain = await browser.newContext({ javaScriptEnabled: false });
      const second = await plain.newPage();
      await second.goto(`${api.url}/privacy?lang=it`);
      await second.getByLabel(TEXTS.it.platform).selectOption('linkedin');
      await second.getByLabel(TEXTS.it.account).fill('somebody');
      await second.getByRole('button', { name: TEXTS.it.next }).click();
      await second.getByLabel(TEXTS.it.contact).waitFor();
    } finally {
      await browser.close();
      await api.close();
    }
  });
});
