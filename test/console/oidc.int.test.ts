import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole } from '../../src/console/server.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { addOperator } from '../../src/operations/operators.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { freePort, startProvider, type TestProvider } from '../support/oidc.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let provider: TestProvider;
let tested: TestConsole;

beforeAll(async () => {
  program = await createTestProgram({ privacy: {} });
  const port = await freePort();
  provider = await startProvider(`http://127.0.0.1:${port}`);
  tested = await startTestConsole(program, { CONSOLE_PORT: String(port), ...provider.settings });
  await addOperator(program.subjects, 'ada@example.org', 'operator');
  await addOperator(program.subjects, 'ada', 'administrator');
});

afterAll(async () => {
  await tested.close();
  await provider.close();
  await program.close();
});

const cookieOf = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .find((each) => each.startsWith(`${name}=`)) ?? '';

/** Begins a login. */
const begun = async () => {
  const { status, headers } = await tested.stranger.get('/login/provider');
  expect(status).toBe(303);
  return {
    asked: new URL(headers.get('location') ?? ''),
    ticket: cookieOf(headers, 'sightline_console_login'),
    set: headers.getSetCookie()[0] ?? '',
  };
};

/** Opens the address at which the provider sends a browser back. */
const answered = (ticket: string, back: string) =>
  tested.visitor(ticket).get(back.slice(tested.origin.length));

/** A login from its beginning to its end. */
const loggedIn = async (email = 'ada@example.org', isVerified: unknown = true) => {
  provider.somebody = { email, email_verified: isVerified };
  const { asked, ticket } = await begun();
  const answer = await answered(ticket, await provider.answerTo(asked.href));
  return { ...answer, cookie: cookieOf(answer.headers, 'sightline_console') };
};

const logins = async () =>
  (await program.log.readStream('operators', {})).filter(({ type }) => type === 'OperatorLoggedIn');

describe('login through a provider', () => {
  it('the page of the login offers it, and an operator gets in, with an event', async () => {
    const page = load((await tested.stranger.get('/login')).text);
    expect(page('a.button').attr('href')).toBe('/login/provider');
    const { asked, set } = await begun();
    // It comes along when the provider sends the browser back, and no script reads it.
    expect(set).toMatch(/Max-Age=300; HttpOnly; SameSite=Lax$/);
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    const { status, text, cookie, headers } = await loggedIn('Ada@Example.ORG');
    expect(status, text).toBe(200);
    expect(headers.getSetCookie().at(-1)).toMatch(/^sightline_console=.+SameSite=Strict$/);
    expect(cookieOf(headers, 'sightline_console_login')).toBe('sightline_console_login=');
    const visitor = tested.visitor(cookie);
    expect((await visitor.get('/')).text).toContain('ada@example.org, operator');
    expect((await logins()).at(-1)).toMatchObject({
      data: { operator: 'ada@example.org' },
      metadata: { actor: 'operator:ada@example.org' },
    });
  });

  it('who is removed has no session any more, and gets none', async () => {
    await addOperator(program.subjects, 'eve@example.org', 'viewer');
    const { cookie } = await loggedIn('eve@example.org');
    expect((await tested.visitor(cookie).get('/')).status).toBe(200);
    const admin = await tested.logIn('boss', 'administrator');
    await admin.act('operator.remove', { operator: 'eve@example.org' });
    expect((await tested.visitor(cookie).get('/')).status).toBe(401);
    expect((await loggedIn('eve@example.org')).status).toBe(403);
  });

  it('who is no operator is told what to do, and gets in nowhere', async () => {
    const before = (await logins()).length;
    const { status, text, cookie } = await loggedIn('stranger@example.org');
    expect(status).toBe(403);
    expect(load(text)('pre').text()).toBe('sightline operators add stranger@example.org --role viewer');
    expect(cookie).toBe('');
    expect((await logins()).length).toBe(before);
  });

  it.for([
    ['ada@example.org', false],
    ['ada@example.org', null],
    ['ada@example.org', 'true'],
    ['ada', true],
    // Its small letter is a k.
    ['\u212Aada@example.org', true],
  ] as const)('a claim of %s, verified: %s, is nobody', async ([email, isVerified]) => {
    await addOperator(program.subjects, 'kada@example.org', 'viewer');
    const { status, cookie } = await loggedIn(email, isVerified);
    expect(status).toBe(403);
    expect(cookie).toBe('');
  });

  it.for(['state', 'nonce', 'code_challenge'])('an answer to another %s is refused', async (name) => {
    provider.somebody = { email: 'ada@example.org', email_verified: true };
    const { asked, ticket } = await begun();
    const other = (await begun()).asked.searchParams.get(name) ?? '';
    asked.searchParams.set(name, other);
    const { status, headers } = await answered(ticket, await provider.answerTo(asked.href));
    expect(status).toBe(403);
    expect(cookieOf(headers, 'sightline_console')).toBe('');
  });

  it('an answer counts once, and in the browser that asked', async () => {
    provider.somebody = { email: 'ada@example.org', email_verified: true };
    const { asked, ticket } = await begun();
    const back = await provider.answerTo(asked.href);
    expect((await answered('', back)).status).toBe(403);
    expect((await answered((await begun()).ticket, back)).status).toBe(403);
    expect((await answered(`${ticket}x`, back)).status).toBe(403);
    expect((await answered(ticket, back)).status).toBe(200);
    expect((await answered(ticket, back)).status).toBe(403);
    // Nor does the login count again with a new code.
    expect((await answered(ticket, await provider.answerTo(asked.href))).status).toBe(403);
  });

  it('a link of a login is no ticket of the provider', async () => {
    const token = await tested.token('ada');
    const { status } = await tested
      .visitor(`sightline_console_login=${token}`)
      .get('/login/provider/callback?code=x&state=y');
    expect(status).toBe(403);
  });

  it('what the provider refuses is said, in no words of a stranger', async () => {
    const { asked, ticket } = await begun();
    const state = asked.searchParams.get('state') ?? '';
    const iss = encodeURIComponent(provider.settings.CONSOLE_OIDC_ISSUER ?? '');
    const of = (error: string) =>
      answered(
        ticket,
        `${tested.origin}/login/provider/callback?state=${state}&iss=${iss}&error=${error}&error_description=Call+555`,
      );
    expect((await of('access_denied')).text).toContain('access_denied');
    const { status, text } = await of('call%20555');
    expect(status).toBe(403);
    expect(text).not.toContain('555');
  });
});

it('without a provider there is no route and no button', async () => {
  const other = await startTestConsole(program);
  expect(load((await other.stranger.get('/login')).text)('a').length).toBe(0);
  for (const path of ['/login/provider', '/login/provider/callback'])
    expect((await other.stranger.get(path)).status).toBe(404);
  await other.close();
});

it('while the provider does not answer the page says so, and links log in', async () => {
  const port = await freePort();
  const other = await startTestConsole(program, {
    CONSOLE_PORT: String(port),
    ...provider.settings,
    CONSOLE_ORIGIN: `http://127.0.0.1:${port}`,
    CONSOLE_OIDC_ISSUER: `http://localhost:${await freePort()}`,
  });
  const { status, text } = await other.stranger.get('/login/provider');
  expect(status).toBe(503);
  expect(text).toContain('does not answer');
  expect(text).toContain('sightline console login');
  expect((await (await other.logIn('ada', 'viewer')).get('/')).status).toBe(200);
  await other.close();
});

it.for([
  [{ CONSOLE_OIDC_CLIENT_SECRET: '' }, /CONSOLE_OIDC_CLIENT_SECRET is missing/],
  [{ CONSOLE_OIDC_ISSUER: '', CONSOLE_OIDC_CLIENT_ID: '' }, /CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID is/],
  [{ CONSOLE_ORIGIN: '' }, /needs CONSOLE_ORIGIN/],
  [{ CONSOLE_ORIGIN: 'http://console.example' }, /needs CONSOLE_ORIGIN/],
  [{ CONSOLE_OIDC_ISSUER: 'http://id.example' }, /CONSOLE_OIDC_ISSUER is .*https/],
] as const)('a console does not start with settings that make no provider: %j', async ([wrong, message]) => {
  const settings = {
    CONSOLE_ORIGIN: 'https://console.example',
    CONSOLE_OIDC_ISSUER: 'https://id.example',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'a secret',
  };
  const started = async (given: Readonly<Record<string, string>>) =>
    startConsole({ ...tested.parts, config: parseConfig({ ...given, CONSOLE_PORT: '0' }) });
  await (await started(settings)).close();
  await expect(started({ ...settings, ...wrong })).rejects.toThrow(message);
});
