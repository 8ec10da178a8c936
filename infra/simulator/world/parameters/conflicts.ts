import { type ShareParameters, strangerShares } from './shares.ts';

/** Parameters that may exclude one another. */
interface Parameters extends ShareParameters {
  readonly audience: {
    readonly suspicious: number;
    readonly suspiciousSigma: number;
    readonly inactive: number;
    readonly auc: number;
    readonly disguised: number;
  };
  readonly ends: { readonly switching: number; readonly private: Readonly<Record<string, number>> };
}

/** Share of the accounts of the 90th percentile of a normal distribution. */
const NINETIETH = 1.2816;
/** All kinds of followers together. */
const MOST_KINDS = 0.97;

/** The best that a classifier can reach: disguised bots look like others. */
export const reachOf = ({ audience }: Pick<Parameters, 'audience'>): number =>
  1 - audience.disguised / 2 - 0.004;

/** Accounts that switch are private a quarter of the time. */
export const leastPrivate = ({ ends }: Pick<Parameters, 'ends'>): number => ends.switching * (122 / 30.4 / 8);

/** Largest deviation of the ln of suspicious shares that leaves room for inactive followers in nine lists of ten. */
export const mostSpread = ({ audience }: Pick<Parameters, 'audience'>): number =>
  Math.log((MOST_KINDS - audience.inactive) / audience.suspicious) / NINETIETH;

/** Accounts that belong to no person with several accounts are this share, where they are fewest. */
const FEWEST_STRANGERS = 0.144;

/** Documents hold rounded values: a bound that is missed by less is met. */
const ROUNDING = 1e-9;

/** Why parameters can't hold together; none if they can. */
export const conflictsOf = (parameters: Parameters): readonly string[] => {
  const { audience, ends } = parameters;
  const conflicts: string[] = [];
  if (audience.auc > reachOf(parameters) + ROUNDING)
    conflicts.push(
      `audience.auc is ${audience.auc}, and disguised bots leave ${reachOf(parameters).toFixed(4)} to any classifier`,
    );
  for (const [platform, share] of Object.entries(ends.private))
    if (share < leastPrivate(parameters))
      conflicts.push(
        `ends.private.${platform} is ${share}, and the accounts that switch are ${leastPrivate(parameters).toFixed(4)} of all at any time`,
      );
  if (audience.suspiciousSigma > mostSpread(parameters))
    conflicts.push(
      `audience.suspiciousSigma is ${audience.suspiciousSigma}, and above ${mostSpread(parameters).toFixed(4)} suspicious and inactive followers are more than all in one list of ten`,
    );
  const ofStrangers = Object.values(strangerShares(parameters)).reduce((sum, share) => sum + share, 0);
  if (ofStrangers > FEWEST_STRANGERS)
    conflicts.push(
      `names.sameHandle and adversaries.share need ${ofStrangers.toFixed(4)} of all accounts, and strangers are ${FEWEST_STRANGERS} on Instagram`,
    );
  return conflicts;
};
