import pg from 'pg';

/** Prefix of passwords that may only be used with SCRAM. Embedded servers have such passwords. */
export const SCRAM_ONLY = 'scram-only.';

/** Undocumented members of the driver's client, and methods that it calls when the server answers. */
interface Answers {
  readonly password: unknown;
  readonly connection: { emit(event: 'error', error: Error): void; readonly stream: { destroy(): void } };
  /** The SCRAM exchange in progress; null once it succeeded. */
  readonly saslSession?: unknown;
  _handleAuthCleartextPassword(message: unknown): void;
  _handleAuthMD5Password(message: unknown): void;
  _handleAuthSASLFinal(message: unknown): void;
  _handleReadyForQuery(message: unknown): void;
}

const Driver = pg.Client as unknown as new (config?: pg.ClientConfig) => pg.Client & Answers;

/**
 * Every connection to Postgres is one of these. SCRAM-only passwords are never sent by another method, and a server that does not
 * prove that it knows the password is refused: while an embedded server is down, any local user may listen on its port.
 */
export class Client extends Driver {
  /** Whether the server has proven that it knows the password. */
  #isProven = false;

  get #isScramOnly(): boolean {
    return typeof this.password === 'string' && this.password.startsWith(SCRAM_ONLY);
  }

  #refuse(): void {
    this.connection.emit(
      'error',
      new Error('the server did not prove its identity: another program listens on its port'),
    );
    this.connection.stream.destroy();
  }

  override _handleAuthCleartextPassword(message: unknown): void {
    if (this.#isScramOnly) this.#refuse();
    else super._handleAuthCleartextPassword(message);
  }

  override _handleAuthMD5Password(message: unknown): void {
    if (this.#isScramOnly) this.#refuse();
    else super._handleAuthMD5Password(message);
  }

  override _handleAuthSASLFinal(message: unknown): void {
    super._handleAuthSASLFinal(message);
    this.#isProven = this.saslSession === null;
  }

  override _handleReadyForQuery(message: unknown): void {
    if (this.#isScramOnly && !this.#isProven) this.#refuse();
    else super._handleReadyForQuery(message);
  }
}
