import { OperatorError } from '../../kernel/errors.ts';
import { parseUsd } from '../../kernel/money.ts';

/** Dollars as people write them, in micro-dollars. @throws {OperatorError} where the text is no amount. */
export const dollars = (text: string): bigint => {
  const micro = parseUsd(text);
  if (micro === null) {
    throw new OperatorError(
      'argument_invalid',
      `"${text}" is no amount: write dollars as 25, 25.00 or 0.0035, with up to six decimals`,
    );
  }
  return micro;
};
