/** Whether fault suites run at full length, as in `npm run test:faults`. */
const isFull = process.env.FAULT_SUITES === 'full';

/**
 * The number of kills, rebalances or generated histories of a fault suite, whose tests have the tag `faults`.
 * @param full in `npm run test:faults`.
 * @param short in `npm test`.
 */
export const faultCount = (full: number, short: number): number => (isFull ? full : short);
