import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ConnectionString } from './connection-string.ts';

const PROBE_MS = 2_000;

/** Codes of OpenSSL and Node for a certificate that is not accepted; a node that is not reached has others. */
const CERTIFICATE = /CERT|ISSUER|VERIFY/;

const errorOf = (
  { address, port }: ConnectionString['hosts'][number],
  ca: Buffer | undefined,
): Promise<Error | null> =>
  new Promise((resolve) => {
    const done = (error: Error | null) => {
      socket.destroy();
      resolve(error);
    };
    const socket = connect({
      host: address,
      port,
      ...(ca === undefined ? {} : { ca }),
      // A node that speaks HTTP/2 only refuses clients that don't.
      ALPNProtocols: ['h2'],
      ...(isIP(address) === 0 ? { servername: address } : {}),
      timeout: PROBE_MS,
    });
    socket.on('secureConnect', () => done(null));
    socket.on('timeout', () => done(null));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      done(CERTIFICATE.test(error.code ?? '') ? error : null),
    );
  });

/**
 * Why the certificate of one of the hosts is not accepted; null if none is refused. The client's discovery drops the error
 * of each node and reports the number of its attempts only.
 */
export const certificateError = async ({ hosts, channel }: ConnectionString): Promise<Error | null> => {
  if (channel.insecure === true) return null;
  const errors = await Promise.all(hosts.map((host) => errorOf(host, channel.rootCertificate)));
  return errors.find((error) => error !== null) ?? null;
};
