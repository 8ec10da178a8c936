import { join } from 'node:path';
import type { Runtime } from '../../runtime/open-runtime.ts';

/** How a shell asks the database, whatever its port is then. The password is read from its file, and not shown. */
export const psqlOf = async ({
  config,
  url,
}: Pick<Runtime, 'url'> & {
  readonly config: Pick<Runtime['config'], 'DATABASE_URL' | 'SIGHTLINE_HOME'>;
}): Promise<string> => {
  if (config.DATABASE_URL !== undefined) return 'psql "$DATABASE_URL"';
  const { hostname, username, pathname } = new URL(url);
  const { serverFiles } = await import('../../kernel/postgres/embedded/server.ts');
  const { data, password } = await serverFiles(config.SIGHTLINE_HOME);
  const port = `"$(sed -n 4p ${join(data, 'postmaster.pid')})"`;
  return `PGPASSWORD="$(cat ${password})" psql -h ${hostname} -p ${port} -U ${username} ${pathname.slice(1)}`;
};
