import { rotateCursorSecret } from '../write/secrets/cursor-secrets.ts';
import type { OperationsContext } from './context.ts';

/** Signs cursors with a new secret; cursors that the old one signed stay valid for 24 hours. */
export const rotateSecrets = ({ db }: Pick<OperationsContext, 'db'>): Promise<void> => rotateCursorSecret(db);
