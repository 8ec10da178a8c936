/** A running part of the program. */
export interface Running {
  stop(): Promise<void>;
}

/** Where a process listens. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}
