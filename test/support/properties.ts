import fc from 'fast-check';

/** Ends the search for a smaller counterexample, which may have no end, and which no time limit of a test ends. */
const LIMIT_MS = 240_000;

fc.configureGlobal({ interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true });
