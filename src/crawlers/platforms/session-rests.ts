/** Until when a session must not request an operation, because its platform limits it. */
export interface SessionRests {
  /** Milliseconds since 1970; null if it never rested. */
  until(session: string, operation: string): Promise<number | null>;
  /** Never shortens a rest. */
  rest(session: string, operation: string, untilMs: number): Promise<void>;
}

/** Rests that only this process knows of. */
export const createLocalSessionRests = (): SessionRests => {
  const rests = new Map<string, number>();
  const keyOf = (session: string, operation: string) => `${session} ${operation}`;
  return {
    until: async (session, operation) => rests.get(keyOf(session, operation)) ?? null,
    rest: async (session, operation, untilMs) => {
      const key = keyOf(session, operation);
      rests.set(key, Math.max(untilMs, rests.get(key) ?? 0));
    },
  };
};
