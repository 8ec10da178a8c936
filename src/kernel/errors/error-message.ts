/** Message of an unknown thrown value, for log lines. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
