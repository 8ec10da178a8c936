/** A text of about so many characters. */
export type Text = (length: number) => string;

const FIRST = 1_024;
const LONGEST = 1 << 18;
/** Work below this at the longest text is not told from noise, and quadratic work there would take a minute. */
const NOTICEABLE_MS = 8;
const FACTOR = 4;
/** Between linear growth, which is `FACTOR`, and quadratic growth, which is its square; the bound is in the middle, since caches make long texts dearer than in proportion. */
const MOST = 9;
/** CPU time that is measured at once, of as many runs as it takes: on some machines its clock ticks every four ms. */
const PRECISE_MS = 120;
/** Of so many the least counts: the collector of garbage disturbs some. */
const TRIES = 3;

/** Work on a text. */
export type Work = (text: string) => unknown;

/** CPU time of a work, in ms. */
export const costOf = async (work: Work, text: string): Promise<number> => {
  const began = process.threadCpuUsage();
  await work(text);
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
};

/** Short texts, in the order of their length: what is exponential takes minutes for a somewhat longer one. */
const EXPLOSIVE_AT = [18, 22, 26, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256];
const EXPLOSIVE_MS = 20;

/** Whether a work takes long for a text of a few characters already, so that it can't be tried on long ones. */
export const explodes = async (work: Work, text: Text): Promise<boolean> => {
  for (const length of EXPLOSIVE_AT) {
    const given = text(length);
    const began = performance.now();
    await work(given);
    if (performance.now() - began < EXPLOSIVE_MS) continue;
    // Another process may have had the processor.
    if ((await least(work, given)) >= EXPLOSIVE_MS) return true;
  }
  return false;
};

/** CPU time of one of many runs, in ms. */
const meanOf = async (work: Work, text: string): Promise<number> => {
  const began = process.threadCpuUsage();
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  };
  let runs = 0;
  while (runs === 0 || spentMs() < PRECISE_MS) {
    await work(text);
    runs += 1;
  }
  return spentMs() / runs;
};

const least = async (work: Work, text: string): Promise<number> => {
  const costs: number[] = [];
  while (costs.length < TRIES && !(costs.length > 1 && Math.min(...costs) >= 2 * PRECISE_MS))
    costs.push(await meanOf(work, text));
  return Math.min(...costs);
};

/** How many times longer a work takes on a text that is `factor` times longer. */
const ratioAt = async (work: Work, text: Text, length: number, factor = FACTOR): Promise<number> => {
  const [short, long] = [text(length), text(length * factor)];
  // The first calls of a function are slow.
  await work(short);
  return (await least(work, long)) / Math.max(await least(work, short), 0.5);
};

/**
 * How many times longer a work takes on a text that is four times longer; null if it does not become noticeable. No
 * time is compared with a fixed one but to find lengths that can be compared: the shortest CPU time of this thread is
 * hardly disturbed by other processes. Growth goes on: a step, as where another way is taken, is found at one length only.
 * @param longestToo looks at the longest texts as well: linear work hides in shorter ones what grows faster beside it.
 */
export const growthOf = async (work: Work, text: Text, longestToo = false): Promise<number | null> => {
  if (await explodes(work, text)) return Number.POSITIVE_INFINITY;
  /**
   * Found at two lengths: a step is found at one only. At the second, the text is doubled in place of quadrupled and the
   * ratio squared, noise included: on four times the text quadratic work would take sixteen times as long.
   */
  const confirmed = async (length: number): Promise<number> => {
    const ratio = await ratioAt(work, text, length);
    if (ratio < MOST) return ratio;
    return Math.min(ratio, (await ratioAt(work, text, length * FACTOR, 2)) ** 2);
  };
  for (let length = FIRST; length <= LONGEST; length *= 2) {
    if ((await costOf(work, text(length))) < NOTICEABLE_MS) continue;
    const near = await confirmed(length);
    return longestToo && near < MOST && length < LONGEST / FACTOR ? confirmed(LONGEST / FACTOR) : near;
  }
  return null;
};

export const isLinear = (growth: number | null): boolean => growth === null || growth < MOST;
