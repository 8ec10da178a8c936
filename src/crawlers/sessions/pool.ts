import type { Platform } from '../../kernel/platform.ts';
import type { Page } from '../http/port.ts';

/** A session that may send one request of an operation. */
export interface GrantedSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the proxy that it is bound to. */
  readonly proxy: string | null;
  /** Notes what the answer says of the session and its limits. */
  answered(page: Page): Promise<void>;
  /** Gives the request back, since it was not sent. */
  unsent(): Promise<void>;
}

/** Why no session may send a request. */
export type Refusal =
  | { readonly refused: 'not_configured' }
  /** All of them rest. */
  | { readonly refused: 'limited'; readonly waitMs: number };

/** The sessions of an operator, limited by session and operation over all processes. */
export interface SessionPool {
  /** @param id the session that has to send it, if it can; any other one once that is gone. */
  grant(platform: Platform, operation: string, id?: string | null): Promise<GrantedSession | Refusal>;
}
