import type { Platform } from '../simulated-platforms.ts';
import { inBand, type Measurement, near, nearShare } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import { area, deviation, mean, median, medianError, variance } from './statistics.ts';

const ON: readonly Platform[] = ['x', 'bluesky'];

/** Kinds of followers, blocks of bought ones, and what the best classifier could reach. */
export const measureAudiences = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  most: number,
): Measurement[] => {
  const { audience } = reader.parameters;
  const [suspicious, inactive, lengths, boughtShares]: [number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ];
  const drawn: number[] = [];
  const [bots, others]: [number[], number[]] = [[], []];
  for (const platform of ON) {
    const chosen = accounts
      .filter((row) => row.platform === platform && row.followers >= 600 && row.followers < 6000)
      .slice(0, Math.ceil(most / ON.length));
    for (const { index, audience: own } of chosen) {
      const members = reader.read('followers', [platform, index]);
      const bought = members.filter((member) => member.campaign !== null).length;
      const bad = members.filter((member) => member.kind === 'suspicious').length;
      drawn.push(own?.suspicious ?? Number.NaN);
      // Half a follower where there is none, for the logarithm.
      suspicious.push(Math.max(0.5, bad) / members.length);
      inactive.push(members.filter((member) => member.kind === 'inactive').length / members.length);
      if (bad >= 100) boughtShares.push(bought / bad);
      let length = 0;
      members.forEach((member, n) => {
        if (member.campaign === null) return;
        length++;
        if (members[n + 1]?.campaign === member.campaign) return;
        lengths.push(length);
        length = 0;
      });
      for (const { log_ratio, kind } of members)
        if (log_ratio !== null) (kind === 'suspicious' ? bots : others).push(log_ratio);
    }
  }
  const logged = suspicious.map((share) => Math.log(share));
  // Blocks are few in a list: what chance adds to the shares drawn for the accounts is known and taken off.
  const chance = logged.map((share, n) => share - Math.log(drawn[n] as number));
  const spread = Math.sqrt(Math.max(0, variance(logged) - variance(chance)));
  const surging = accounts.filter((row) => row.audience?.surging).length;
  const persons = accounts.filter((row) => row.audience !== null).length;
  // Members of a campaign share their age: so many independent ones.
  const independent = lengths.length + suspicious.length;
  return [
    near('suspicious followers, median over accounts', median(suspicious), audience.suspicious, {
      tolerance: audience.suspicious / 5,
      error: medianError(suspicious),
      n: suspicious.length,
    }),
    near('deviation of the ln of that share', spread, audience.suspiciousSigma, {
      tolerance: 0.15,
      error: audience.suspiciousSigma / Math.sqrt(2 * logged.length),
      n: logged.length,
    }),
    near('inactive followers, median over accounts', median(inactive), audience.inactive, {
      tolerance: audience.inactive / 5,
      error: medianError(inactive),
      n: inactive.length,
    }),
    near('bought ones among the suspicious, mean', mean(boughtShares), (1 + audience.bought) / 2, {
      tolerance: 0.1,
      error: deviation(boughtShares) / Math.sqrt(boughtShares.length),
      n: boughtShares.length,
    }),
    inBand('length of blocks of bought followers, median', median(lengths), 10, 5000, lengths.length),
    nearShare('accounts with organic surges', surging, persons, audience.surges),
    near('AUC of the likelihood ratio', area(bots, others), audience.auc, {
      tolerance: 0.01,
      error: 0.15 / Math.sqrt(independent),
      n: bots.length,
    }),
  ];
};
