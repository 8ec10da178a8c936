/** A running part of the program. */
export interface Running {
  stop(): Promise<void>;
}

/** Where a process listens. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** A part that answers requests. */
export interface Serving extends Running {
  readonly url: string;
  /** Where it tells those who run it how it does. */
  readonly operationsUrl: string;
}
