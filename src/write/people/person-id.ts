import { uuidV5 } from '../../kernel/ids.ts';

/** ID of the person whose least account this is: the same in every build, whatever the order of streams was. */
export const personIdOf = (account: string): string => uuidV5(`person ${account}`);
