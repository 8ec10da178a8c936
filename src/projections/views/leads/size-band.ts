/** LinkedIn's bands of employees. */
export const SIZE_BANDS = [
  '1',
  '2-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;

export type SizeBand = (typeof SIZE_BANDS)[number];

const lowest = (band: SizeBand): number => Number.parseInt(band, 10);

const bandOf = (employees: number): SizeBand | null =>
  SIZE_BANDS.findLast((band) => lowest(band) <= employees) ?? null;

/** First number of a text, whatever separates its thousands. */
const FIRST_NUMBER = /\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+|\d+/;

/**
 * The band of a company's size; null if it is unknown.
 * @param size as shown, as `1,001-5,000 employees` or `51 à 200 salariés`.
 * @param employees a number that the page states apart; decides only if no size is shown.
 */
export const sizeBand = (size: string | null, employees: number | null): SizeBand | null => {
  const first = FIRST_NUMBER.exec(size ?? '')?.[0].replaceAll(/\D/g, '');
  const from = first === undefined || first.length > 9 ? employees : Number(first);
  return from === null || from === 0 ? null : bandOf(from);
};
