import { parseHandle } from '../../../platforms/bluesky.ts';
import { MEASURABLE } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { otherStatus, statusReason } from '../shared/block-detection.ts';
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  parseJson,
  textAt,
} from '../shared/json-access.ts';
import { existence, layoutChanged, type Parsed, proven, unknown } from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';

/** The response's object, or the outcome of its error. Rejected names are 400s with the reason in JSON. */
export const replyOf = (page: Page): { reply: JsonObject } | { outcome: Parsed } => {
  const reply = parseJson(page.body);
  const error = textAt(reply, 'error');
  const refused = page.status === 400 || page.status === 200;
  if (error !== null && refused) return { outcome: refusalOf(error, textAt(reply, 'message') ?? '') };
  const blocked = statusReason(page) ?? otherStatus(page);
  if (blocked !== null) return { outcome: blocked };
  return isObject(reply) ? { reply } : { outcome: layoutChanged('The reply is no JSON object') };
};

const refusalOf = (error: string, message: string): Parsed => {
  if (error === 'AccountTakedown') return proven('suspended');
  if (error === 'AccountDeactivated') return proven('deactivated');
  if (/^profile not found\.?$/i.test(message.trim())) return proven('absent');
  if (error === 'RateLimitExceeded') return unknown('rate_limited', `Bluesky answered ${error}`);
  if (/^Auth/.test(error)) return unknown('login_wall', `Bluesky answered ${error}`);
  return unknown('http_error', `Bluesky answered ${error}: ${message.slice(0, 200)}`);
};

/** Whether an actor has opted out of being shown to logged-out users, which is respected. */
export const optsOut = (actor: Json): boolean =>
  listAt(actor, 'labels').some(
    (label) => textAt(label, 'val') === '!no-unauthenticated' && at(label, 'neg') !== true,
  );

/** Whether an actor has lost its handle: it no longer resolves. */
export const isNameless = (actor: Json): boolean => textAt(actor, 'handle') === 'handle.invalid';

/** The actor's handle, or its DID if it has lost its handle; null if it is not an actor. */
export const actorHandle = (actor: Json): string | null =>
  parseHandle((isNameless(actor) ? textAt(actor, 'did') : textAt(actor, 'handle')) ?? '');

export const isAsked = (actor: Json, address: Address): boolean =>
  address.kind === 'id'
    ? textAt(actor, 'did') === address.id
    : actorHandle(actor) === address.handle || textAt(actor, 'did') === address.handle;

/** Existence only: previously known values are not shown any more either. */
export const existenceOnly = (actor: Json, address: Address): Parsed =>
  existence(actorHandle(actor) ?? nameOf(address), 'present', MEASURABLE);
