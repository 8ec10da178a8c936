/** Message of an unknown thrown value, for a log line. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
