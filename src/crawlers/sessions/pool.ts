import type { Platform } from '../../kernel/platform.ts';
import type { Page } from '../http/port.ts';
import type { TrafficClass } from '../http/rate-limited-http.ts';

/** A session that may send one request of an operation. */
export interface GrantedSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the proxy that it is bound to. */
  readonly proxy: string | null;
  /** Notes what the answer says of the session and its limits. @returns whether the platform accepts the session. */
  answered(page: Page): Promise<boolean>;
  /** Gives the request back, since it was not sent. */
  unsent(): Promise<void>;
  /** Lets the session rest for the operation, since its proxy can't be used. */
  unreachable(ms: number | null): Promise<void>;
}

/** Why no session may send a request. */
export type Refusal =
  | { readonly refused: 'not_configured' }
  /** There are some, but none that the platform accepts, or that can be opened. */
  | { readonly refused: 'unusable'; readonly why: string }
  /** All of them rest. */
  | { readonly refused: 'limited'; readonly waitMs: number };

/** The sessions of an operator, limited by session and operation over all processes. */
export interface SessionPool {
  /**
   * @param trafficClass the crawl leaves live reads a share of each window, which it may use itself towards the end.
   * @param id the session that has to send it, if it can; any other one once that is gone.
   * @param holder whose live read it is: no holder takes all of a window. Null for the crawl.
   */
  grant(
    platform: Platform,
    operation: string,
    trafficClass: TrafficClass,
    id?: string | null,
    holder?: string | null,
  ): Promise<GrantedSession | Refusal>;
}
