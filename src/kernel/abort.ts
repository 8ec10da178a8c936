/** Does what a signal may interrupt: an AbortError after the signal has fired is no failure. */
export const unlessAborted = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error;
  }
};
