import { auditOf } from '../../../src/analysis/audit/audit.ts';
import type { AuditModel } from '../../../src/analysis/audit/model.ts';
import type { Parameters } from '../../simulator/world/parameters.ts';
import { createWorld } from '../../simulator/world/world.ts';
import { seenOf } from '../audit/labels.ts';
import { AT } from '../observed.ts';

const [AUDIENCES, READ, LEAST_FOLLOWERS] = [150, 500, 100];

/** Shares of audiences of X of a world in which a model's interval holds the truth, and of which it does not warn. */
export const measureIn = (
  model: AuditModel,
  parameters: Parameters,
  seed: number,
): { readonly held: number; readonly familiar: number } => {
  const world = createWorld({ seed, size: 200_000, parameters, clock: { now: () => AT } });
  let [held, familiar] = [0, 0];
  for (let index = 0, audited = 0; audited < AUDIENCES; index++) {
    const { status, followers } = world.account('x', index, AT);
    if (status !== 'active' || followers < LEAST_FOLLOWERS) continue;
    audited += 1;
    const members = world.followers('x', index, AT).page(0, READ);
    const truth = members.filter(({ kind }) => kind === 'suspicious').length / members.length;
    const audit = auditOf(
      members.map((member) => seenOf('x', member)),
      model,
    );
    if (audit.suspicious !== null && audit.suspicious.low <= truth && truth <= audit.suspicious.high)
      held += 1;
    if (audit.isFamiliar === true) familiar += 1;
  }
  return { held: held / AUDIENCES, familiar: familiar / AUDIENCES };
};
