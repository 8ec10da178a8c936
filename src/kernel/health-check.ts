/** A readiness check. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
