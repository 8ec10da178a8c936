import type { UnknownReason } from '../adapter.ts';
import { type Parsed, proven, unknown } from '../shared/reading-outcomes.ts';

/** The page's own name of what it is; text in its data has its quotes escaped. */
const ROUTE = /"canonicalRouteName"\s*:\s*"([\w.]{1,200})"/;

/** Routes that show no account, by parts of their names. The error page stands for names without an account. */
const ROUTES: readonly (readonly [RegExp, UnknownReason | 'absent'])[] = [
  [/Login|Sign[Uu]p|Registration/, 'login_wall'],
  [/Challenge|Checkpoint|Captcha|Consent/, 'challenge'],
  [/Restricted|AgeGat/, 'restricted'],
  [/Geoblock/, 'region'],
  [/Error|NotFound|Unavailable/, 'absent'],
];

/** Outcome of a page that says itself that it is no account's; null for any other. */
export const routeOutcome = (html: string): Parsed | null => {
  const route = ROUTE.exec(html)?.[1];
  const outcome = ROUTES.find(([pattern]) => route !== undefined && pattern.test(route))?.[1];
  if (outcome === undefined) return null;
  return outcome === 'absent' ? proven('absent') : unknown(outcome, `The page is of the route ${route}`);
};
