import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody who has an account at the provider. */
export interface Somebody {
  readonly email: string;
  readonly email_verified: unknown;
}

export interface TestProvider {
  readonly settings: Readonly<Record<string, string>>;
  /** Who logs in next. */
  somebody: Somebody;
  /** Follows the redirects of the provider. @returns the address at which it sends the browser back. */
  answerTo(asked: string): Promise<string>;
  close(): Promise<void>;
}

/** A port that is free. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createSocket().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const SECRET = 'the secret of the console at the provider';

/** A provider of OpenID Connect that logs in whom a test names, after a button. Its site is another than the console's. */
export const startProvider = async (origin: string): Promise<TestProvider> => {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const people = new Map<string, Somebody>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: SECRET,
        redirect_uris: [`${origin}/login/provider/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: 'console', accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const tested: { somebody: Somebody } = { somebody: { email: 'ada@example.org', email_verified: true } };
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    if (context.method === 'GET') {
      context.type = 'html';
      context.body =
        '<!doctype html><title>Provider</title><form method="post"><button>It is me</button></form>';
      return undefined;
    }
    const accountId = `sub-${people.size}`;
    people.set(accountId, tested.somebody);
    context.respond = false;
    return provider.interactionFinished(context.req, context.res, { login: { accountId } });
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return Object.assign(tested, {
    settings: {
      CONSOLE_ORIGIN: origin,
      CONSOLE_OIDC_ISSUER: issuer,
      CONSOLE_OIDC_CLIENT_ID: 'console',
      CONSOLE_OIDC_CLIENT_SECRET: SECRET,
    },
    answerTo: async (asked: string) => {
      const cookies = new Map<string, string>();
      let at = asked;
      while (at.startsWith(issuer)) {
        const cookie = [...cookies].map((each) => each.join('=')).join('; ');
        const method = new URL(at).pathname.startsWith('/interaction/') ? 'POST' : 'GET';
        const response = await fetch(at, { method, redirect: 'manual', headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const to = response.headers.get('location');
        if (to === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`);
        at = new URL(to, issuer).href;
      }
      return at;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
};
