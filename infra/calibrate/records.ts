/** A figure of an account beside its true value. */
export interface Result {
  readonly figure: string;
  /** Null: insufficient data. */
  readonly value: number | null;
  readonly low: number;
  readonly high: number;
  readonly truth: number;
  /** Whether the figure takes few values for this account: its interval is one of whole counts. */
  readonly few: boolean;
  /** Whether the account was taken as it came: shares of insufficient data are over these. */
  readonly common: boolean;
  readonly band: number;
  /** Share of followers that are suspicious. */
  readonly bots: number;
  /** Width of the interval by that of a block bootstrap; null where it was not computed. */
  readonly width: number | null;
}

/** A test of an effect. */
export interface Decision {
  readonly test: string;
  /** Whether there is one. */
  readonly is: boolean;
  readonly found: boolean;
}
