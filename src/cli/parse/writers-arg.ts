import { InvalidArgumentError } from 'commander';

/** Commander argument: a number of writers. @throws {InvalidArgumentError} */
export const writersArg = (text: string): number => {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Give a number from 1, as 2.');
  return Number(text);
};
