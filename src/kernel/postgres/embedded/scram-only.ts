import pg from 'pg';

/** Prefix of passwords that may only be used with SCRAM: those of embedded servers. */
export const SCRAM_ONLY = 'scram-only.';

interface Authenticating {
  readonly password: unknown;
  readonly connection: { emit(event: 'error', error: Error): void; readonly stream: { destroy(): void } };
  /** The SCRAM exchange in progress; null once it succeeded. */
  readonly saslSession?: unknown;
  /** Whether the server has proven to know the password. */
  isProven?: boolean;
}

type Handler = (this: Authenticating, ...args: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as Record<string, Handler>;

const isScramOnly = ({ password }: Authenticating): boolean =>
  typeof password === 'string' && password.startsWith(SCRAM_ONLY);

const refuse = (client: Authenticating): void => {
  client.connection.emit(
    'error',
    new Error('the server did not prove its identity: another program listens on its port'),
  );
  client.connection.stream.destroy();
};

/** Runs a handler of the driver only for trusted servers. */
const guard = (
  name: string,
  mayRun: (client: Authenticating) => boolean,
  after?: (client: Authenticating) => void,
) => {
  const handler = prototype[name];
  if (handler === undefined) throw new Error(`the Postgres driver no longer has ${name}`);
  prototype[name] = function (this: Authenticating, ...args: unknown[]) {
    if (!mayRun(this)) return refuse(this);
    const result = handler.apply(this, args);
    after?.(this);
    return result;
  };
};

let isDone = false;

/**
 * Patches the driver, which slonik uses too: SCRAM-only passwords are never sent by another method, and a server
 * that does not prove to know them is rejected. Any local user may listen on the port of an embedded server that is
 * down.
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
