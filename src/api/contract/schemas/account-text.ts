import { text } from '../parse-request.ts';

/** How an account is written wherever a request names one. */
export const ACCOUNT_TEXT = 'A handle as `@<handle>`, a native ID as `id:<id>`, or either without its sign';

/** The text that names an account. */
export const accountText = text(1, 1_024).describe(
  `${ACCOUNT_TEXT}: the guide says whose it is where both have an account.`,
);
