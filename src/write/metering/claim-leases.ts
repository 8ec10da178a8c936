import { realMs } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';

/** Seconds for which a claim is leased. This long after the death of its process, the key can be claimed again. */
export const CLAIM_LEASE_S = 10;
/** How often the leases of claims in flight are renewed: a renewal may fail or time out before they expire. */
const RENEW_MS = 2_000;

/** The holder and key of a claim. */
interface Claimed {
  readonly holder: string;
  readonly key: string;
}

/** The claims of this process's requests in flight. Their leases are renewed while the process lives. */
export interface ClaimLeases {
  hold(request: Claimed, claim: string): void;
  release(claim: string): void;
}

export const createClaimLeases = (db: Queryable, logger: Logger, renewMs = RENEW_MS): ClaimLeases => {
  const held = new Map<string, Claimed>();
  let timer: NodeJS.Timeout | undefined;

  const renew = async (): Promise<void> => {
    const claims = [...held];
    await db.query(sql.named('metering renew claims')`
      update metering.idempotent_responses a
      set expires_at = clock_timestamp() + make_interval(secs => ${raw(CLAIM_LEASE_S)})
      from unnest(${claims.map(([, { holder }]) => holder)}::text[], ${claims.map(([, { key }]) => key)}::text[],
        ${claims.map(([id]) => id)}::uuid[]) as v(holder, key, claim)
      where a.holder = v.holder and a.key = v.key and a.claim = v.claim and a.body is null and not a.again
        and a.expires_at > clock_timestamp()`);
  };

  const again = (): void => {
    if (timer !== undefined || held.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      // The next renewal does not wait for this one, which may hang on its connection.
      again();
      renew().catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'leases of Idempotency-Keys could not be renewed'),
      );
    }, realMs(renewMs));
    timer.unref();
  };

  return {
    hold: (request, claim) => {
      held.set(claim, request);
      again();
    },
    release: (claim) => {
      held.delete(claim);
    },
  };
};
