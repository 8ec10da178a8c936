/** Members that may be missing of a list that is whole: suspended ones, and those who left while it was read. */
const SLACK = 10;
const SLACK_SHARE = 0.05;

/**
 * Whether a list that the platform shows no further page of is not whole: platforms end long lists early, and who is
 * beyond that end may follow all the same.
 * @param stated members that the account's profile states; null if unknown.
 */
export const endsEarly = (members: number, stated: number | null): boolean =>
  stated !== null && stated - members > Math.max(SLACK, stated * SLACK_SHARE);
