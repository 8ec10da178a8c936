/** A running component. */
export interface Running {
  stop(): Promise<void>;
}

/** Listen address of a process. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** A component that serves requests. */
export interface Serving extends Running {
  readonly url: string;
  /** URL of its operations endpoints: health and metrics. */
  readonly operationsUrl: string;
}

/** Roles of a Sightline process; any number of processes may have each. */
export const ROLES = ['api', 'crawl', 'project', 'relay', 'research', 'console'] as const;
export type Role = (typeof ROLES)[number];
