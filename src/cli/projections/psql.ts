import { clusterPasswordFile } from '../../kernel/postgres/cluster.ts';
import type { Program } from '../program/open.ts';

/** How a shell asks the database; the password is not in it. An embedded one can be asked while Sightline runs. */
export const psqlOf = async ({
  config,
  url,
}: Pick<Program, 'url'> & {
  readonly config: Pick<Program['config'], 'DATABASE_URL' | 'SIGHTLINE_HOME'>;
}): Promise<string> => {
  if (config.DATABASE_URL !== undefined) return 'psql "$DATABASE_URL"';
  const { hostname, port, username, pathname } = new URL(url);
  const file = await clusterPasswordFile(config.SIGHTLINE_HOME);
  return `PGPASSWORD="$(cat ${file})" psql -h ${hostname} -p ${port} -U ${username} ${pathname.slice(1)}`;
};
