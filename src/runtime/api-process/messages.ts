import type { Config } from '../../kernel/config.ts';
import type { OperatorErrorCode } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { MetricFamily } from '../../kernel/metrics.ts';
import type { Listen } from '../roles/lifecycle.ts';

/** An error of the start, as it crosses the boundary of the process. */
export interface StartFailure {
  readonly message: string;
  readonly stack?: string | undefined;
  /** Code of an `OperatorError`. */
  readonly operator?: OperatorErrorCode | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Whether the address of the API is in use. */
  readonly isPortTaken: boolean;
}

/** What both processes ask one another. */
type Shared =
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'families'; readonly id: number; readonly families: readonly MetricFamily[] };

/** From the parent to the process of the API. */
export type ToApi =
  | Shared
  | { readonly type: 'start'; readonly config: Config; readonly listen: Listen; readonly projects: boolean }
  | { readonly type: 'checks'; readonly checks: readonly Check[] }
  /** Answered at once, unless the process hangs. */
  | { readonly type: 'ping' }
  | { readonly type: 'stop' };

/** From the process of the API to its parent. */
export type FromApi =
  | Shared
  | { readonly type: 'pong' }
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'failed'; readonly failure: StartFailure };
