/** Network errors, and SQLSTATEs of a lost connection (08) and of a server that starts or stops (57P). */
const LOST = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|57P)/;
/** Errors of the drivers that have no code. */
const LOST_TEXT =
  /connection (terminated|timeout|ended)|timeout exceeded when trying to connect|Connection is closed|Query read timeout/i;

/** Whether a query failed because its server was not reached, or did not answer. */
export const isConnectionLost = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (LOST.test((at as { code?: string }).code ?? '') || LOST_TEXT.test(at.message)) return true;
  }
  return false;
};
