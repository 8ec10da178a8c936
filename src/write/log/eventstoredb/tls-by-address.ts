import { isIP } from 'node:net';
import { ChannelCredentials } from '@grpc/grpc-js';

interface Connector {
  readonly connectionOptions: { host: string; servername?: string };
}

interface SecureCredentials {
  _createSecureConnector(...args: unknown[]): Connector;
}

let isDone = false;

/**
 * Lets nodes be reached over TLS by their addresses, as clusters often advertise them. The client names each node it
 * connects to, which TLS allows for names only (RFC 6066, section 3) and Node refuses for addresses since version 26.
 * Left out, the certificate is held against the address itself (its `IP Address` among the alternative names).
 */
export const allowTlsByAddress = (): void => {
  if (isDone) return;
  isDone = true;
  const prototype = Object.getPrototypeOf(ChannelCredentials.createSsl()) as SecureCredentials;
  const create = prototype._createSecureConnector;
  prototype._createSecureConnector = function (this: SecureCredentials, ...args: unknown[]) {
    const connector = create.apply(this, args);
    const { connectionOptions } = connector;
    if (isIP(connectionOptions.host) !== 0) delete connectionOptions.servername;
    return connector;
  };
};
