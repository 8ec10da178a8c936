/**
 * Array parameters of hot statements as Postgres's text, which the driver sends as it is: its own serializer escapes
 * each element with two regular expressions.
 */
export const numberArray = (values: readonly number[]): string => `{${values.join(',')}}`;

const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;

export const textArray = (values: readonly string[]): string => {
  let text = '';
  for (const value of values) {
    const escaped = SPECIAL.test(value) ? value.replaceAll(SPECIALS, '\\$&') : value;
    text += text === '' ? `"${escaped}"` : `,"${escaped}"`;
  }
  return `{${text}}`;
};
