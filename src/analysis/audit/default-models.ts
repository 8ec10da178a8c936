import type { Platform } from '../../kernel/platform.ts';
import type { AuditModel } from './model.ts';
import ofX from './x-2017.json' with { type: 'json' };

/**
 * Models of platforms for which an operator has no labelled sample. `npm run audit:fit` writes them; where the labelled accounts are
 * from, and what they do not represent, is in `infra/calibrate/data/README.md`.
 */
export const DEFAULT_MODELS: ReadonlyMap<Platform, AuditModel> = new Map([
  ['x', ofX as unknown as AuditModel],
]);
