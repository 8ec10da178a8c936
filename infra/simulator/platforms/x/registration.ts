import type { World } from '../../world/world.ts';
import { isReserved } from '../reserved-names.ts';

const refused = (reason: string, msg: string) => ({ valid: false, reason, msg, desc: msg });

/** What the form of registration says of a name: names of accounts that are gone are held. */
export const registrationReply = (world: World, name: string, at: number) => {
  if (!/^\w{1,15}$/.test(name)) return refused('invalid_username', 'That username is invalid.');
  if (isReserved(name)) return refused('is_banned_word', 'This username is unavailable.');
  if (world.current('x', name, at) !== null) return refused('taken', 'That username has been taken.');
  return { valid: true, reason: 'available', msg: 'Available!', desc: 'Available!' };
};
