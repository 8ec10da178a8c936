/** Runs interruptible work: an AbortError after the signal has fired is not a failure. */
export const unlessAborted = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error;
  }
};
