import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why certificates cannot be made on this machine; null if they can. */
export const certificatesLack = (): string | null =>
  spawnSync('openssl', ['version']).status === 0 ? null : 'there is no openssl';

export interface TestCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** A certificate authority in its own folder, which is removed with it. */
export const createAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-certificates-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const subject = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...subject,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  writeFileSync(
    file('ca.conf'),
    `[ca]\ndefault_ca = own\n[own]\nnew_certs_dir = ${folder}\ndatabase = ${file('index')}\nserial = ${file('serial')}\n` +
      'default_md = sha256\npolicy = any\nunique_subject = no\ncopy_extensions = copy\n[any]\ncommonName = supplied\n',
  );
  writeFileSync(file('index'), '');
  writeFileSync(file('serial'), '01');
  let made = 0;
  return {
    /** The authority's own certificate, as EVENT_LOG_URL names it. */
    file: file('ca.pem'),
    /** @param names such as `DNS:localhost` or `IP:127.0.0.1`. */
    issue: (names: string, [from, until] = ['20260101000000Z', '20991231000000Z']): TestCertificate => {
      const name = `node${made++}`;
      openssl(
        'req',
        '-new',
        ...subject,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
        '-subj',
        '/CN=node',
        '-addext',
        `subjectAltName=${names}`,
      );
      openssl(
        'ca',
        '-batch',
        '-config',
        'ca.conf',
        '-cert',
        'ca.pem',
        '-keyfile',
        'ca.key',
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.pem`,
        '-notext',
        '-startdate',
        from as string,
        '-enddate',
        until as string,
      );
      return { key: readFileSync(file(`${name}.key`)), cert: readFileSync(file(`${name}.pem`)) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
