import Table from 'cli-table3';

/** Rows for people, with words that wrap where a column has a width. */
export const tableOf = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  colWidths?: readonly (number | null)[],
): string => {
  const table = new Table({
    head: [...head],
    wordWrap: true,
    style: { head: [], border: [] },
    ...(colWidths === undefined ? {} : { colWidths: [...colWidths] }),
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
};
