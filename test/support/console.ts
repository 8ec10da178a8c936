import type { ConsoleContext } from '../../src/console/console.ts';
import { createJobs } from '../../src/console/jobs.ts';
import { SCREENS } from '../../src/console/screens.ts';
import { startConsole } from '../../src/console/server.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { openEngineReads } from '../../src/operations/engines/engines.ts';
import { addOperator, formTokenOf, loginToken, type OperatorRole } from '../../src/operations/operators.ts';
import { runProjection } from '../../src/projections/engine/runner.ts';
import { projections } from '../../src/projections/registry.ts';
import { ERASURE_KEY } from './erasures.ts';
import { sighted, type TestProgram } from './program.ts';

/** A page as a browser gets it. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An operator with a session. */
export interface Visitor {
  readonly cookie: string;
  readonly formToken: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  postBody(path: string, body: string, headers?: Record<string, string>): Promise<Answer>;
  /** Does an action with its form's token and a reason. */
  act(action: string, given: Record<string, string>): Promise<Answer>;
}

export interface TestConsole {
  readonly origin: string;
  readonly parts: ConsoleContext;
  /** Somebody without a session. */
  readonly stranger: Visitor;
  /** Somebody with a cookie. */
  visitor(cookie: string): Visitor;
  /** A link's token, as the command prints it. */
  token(operator: string): Promise<string>;
  logIn(operator: string, role: OperatorRole): Promise<Visitor>;
  close(): Promise<void>;
}

/** Each screen, with something to show: an account x:ada, a holder acme, a pool press. */
export const PATHS = SCREENS.map(({ path }) => path)
  .filter((path) => path !== '/research/:id' && path !== '/erasures/:subject')
  .map((path) =>
    path
      .replace('/:engine', '/x')
      .replace('/:pool', '/press')
      .replace('/:platform/:account', '/x/ada')
      .replace('/:projection', '/directory')
      .replace('/:holder', '/acme')
      .replace('/:alarm/:subject', '/BackupOld/service')
      .replace('/:position', '/1'),
  );

/** A console over a test's program, whose projections follow the log meanwhile. */
export const startTestConsole = async (
  program: TestProgram,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestConsole> => {
  const context = program.subjects;
  const config = parseConfig({
    DATABASE_URL: context.url,
    CONSOLE_PORT: '0',
    ERASURE_KEY,
    ACCESS_LOG: 'true',
    ...settings,
  });
  const engines = await openEngineReads(context);
  const jobs = createJobs(context.logger);
  const parts: ConsoleContext = {
    ...context,
    config,
    builds: program.builds,
    engines,
    jobs,
    keyring: null,
    platforms: {
      read: async ({ log }, { platform, name }) => {
        const event = sighted(name, new Date().toISOString());
        await log.append(`account-${platform}:${name}`, [{ id: crypto.randomUUID(), ...event }], 'any');
        return 'It was read.';
      },
      probe: async ({ log }, engine) => {
        const data = { at: new Date().toISOString() };
        await log.append(
          `engine-${engine}`,
          [{ id: crypto.randomUUID(), type: 'EngineRestEnded', data }],
          'any',
        );
        return 'No false verdict.';
      },
      addSession: async ({ log }, { platform, label, proxy }) => {
        const data = { at: new Date().toISOString(), platform, label, proxy };
        await log.append(
          `session-${label}`,
          [{ id: crypto.randomUUID(), type: 'SessionAdded', data }],
          'any',
        );
        return label;
      },
      testSession: async ({ log }, session) => {
        const data = { at: new Date().toISOString() };
        const event = { id: crypto.randomUUID(), type: 'SessionReinstated', data };
        await log.append(`session-${session}`, [event], 'any');
        return 'accepted: it is logged in';
      },
    },
  };
  const server = await startConsole(parts);
  const { origin } = server;
  const following = new AbortController();
  const followed = projections.map((projection) =>
    runProjection(projection, { ...context, connectionString: context.url, signal: following.signal }),
  );

  const visitor = (cookie: string): Visitor => {
    const answered = async (path: string, init: RequestInit): Promise<Answer> => {
      const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const formToken = formTokenOf(cookie.split('=')[1] ?? '');
    const postBody: Visitor['postBody'] = (path, body, headers = {}) =>
      answered(path, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      });
    const post: Visitor['post'] = (path, fields, headers) =>
      postBody(path, new URLSearchParams(fields).toString(), headers);
    return {
      cookie,
      formToken,
      get: (path, headers = {}) => answered(path, { headers: { cookie, ...headers } }),
      post,
      postBody,
      act: (action, given) =>
        post(`/actions/${action}`, { form_token: formToken, back: '/', reason: 'a test', ...given }),
    };
  };
  const stranger = visitor('');
  const token = (operator: string) => loginToken(context, operator);

  return {
    origin,
    parts,
    stranger,
    visitor,
    token,
    logIn: async (operator, role) => {
      await addOperator(context, operator, role);
      const { headers } = await stranger.post('/login', { token: await token(operator) });
      return visitor(headers.get('set-cookie')?.split(';')[0] ?? '');
    },
    close: async () => {
      following.abort();
      await Promise.all(followed);
      await jobs.stop();
      await server.close();
      await engines.close();
    },
  };
};
