import pg from 'pg';

/** What passwords begin with that are never sent, only proven to be known: those of embedded servers. */
export const SCRAM_ONLY = 'scram-only.';

interface Authenticating {
  readonly password: unknown;
  readonly connection: { emit(event: 'error', error: Error): void; readonly stream: { destroy(): void } };
  /** The exchange that is under way; null when it has ended well. */
  readonly saslSession?: unknown;
  /** Whether the server has proven to know the password too. */
  isProven?: boolean;
}

type Handler = (this: Authenticating, ...args: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as Record<string, Handler>;

const isScramOnly = ({ password }: Authenticating): boolean =>
  typeof password === 'string' && password.startsWith(SCRAM_ONLY);

const refuse = (client: Authenticating): void => {
  client.connection.emit(
    'error',
    new Error('the server does not prove that it is the one: another program listens on its port'),
  );
  client.connection.stream.destroy();
};

/** Lets a handler of the driver run for servers that may be trusted with it. */
const guard = (
  name: string,
  mayRun: (client: Authenticating) => boolean,
  after?: (client: Authenticating) => void,
) => {
  const handler = prototype[name];
  if (handler === undefined) throw new Error(`the Postgres driver has no ${name} any more`);
  prototype[name] = function (this: Authenticating, ...args: unknown[]) {
    if (!mayRun(this)) return refuse(this);
    const result = handler.apply(this, args);
    after?.(this);
    return result;
  };
};

let isDone = false;

/**
 * Has the driver, which slonik uses too, send a password that is for SCRAM only in no other way, and go on with no server
 * that did not prove to know it: any local user may listen on the port of an embedded server that is down.
 */
export const requireScram = (): void => {
  if (isDone) return;
  isDone = true;
  guard('_handleAuthCleartextPassword', (client) => !isScramOnly(client));
  guard('_handleAuthMD5Password', (client) => !isScramOnly(client));
  guard(
    '_handleAuthSASLFinal',
    () => true,
    (client) => {
      client.isProven = client.saslSession === null;
    },
  );
  guard('_handleReadyForQuery', (client) => !isScramOnly(client) || client.isProven === true);
};
