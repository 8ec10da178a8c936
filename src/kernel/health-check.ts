/** The result of a readiness check. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Whether a failure makes the process not ready. By default it does, unless the process serves the API. */
  readonly critical?: boolean;
}
