import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { connect, type SecureVersion } from 'node:tls'

export interface ProxyResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** The address of a proxy on this machine, and the certificate authority that must have issued its certificates. */
export interface ProxyAddress {
  httpsPort: number
  httpPort: number
  authority: Buffer
}

/** Requests a path of a host from the proxy, without resolving the host's name. The certificate must be valid for the host. */
export async function requestOverHttps(
  { httpsPort, authority }: ProxyAddress,
  host: string,
  urlPath: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<ProxyResponse> {
  const clientRequest = request({
    ...options,
    host: '127.0.0.1',
    port: httpsPort,
    path: urlPath,
    servername: host,
    ca: authority,
    headers: { ...options.headers, host },
  })
  clientRequest.end(body)
  return readAnswer(clientRequest)
}

async function readAnswer(clientRequest: ClientRequest): Promise<ProxyResponse> {
  const [response]: IncomingMessage[] = await once(clientRequest, 'response')
  if (response === undefined) throw new Error('No response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

/** Returns the protocol that the proxy chooses for a client that offers HTTP/2 and HTTP/1.1. */
export async function negotiateAlpnProtocol({ httpsPort, authority }: ProxyAddress, host: string): Promise<string | false | null> {
  const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: host, ca: authority, ALPNProtocols: ['h2', 'http/1.1'] })
  try {
    await once(socket, 'secureConnect')
    return socket.alpnProtocol
  } finally {
    socket.destroy()
  }
}

/** Returns the TLS version of a connection with a client that supports only the given version. */
export async function negotiateTlsVersion(
  { httpsPort, authority }: ProxyAddress,
  host: string,
  version: SecureVersion,
): Promise<string | null> {
  // OpenSSL uses TLS 1.0 and 1.1 only at security level 0.
  const tlsOptions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
  const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: host, ca: authority, ...tlsOptions })
  try {
    await once(socket, 'secureConnect')
    return socket.getProtocol()
  } finally {
    socket.destroy()
  }
}

/** Requests a path of a host over plain HTTP, without resolving the host's name and without following redirects. */
export function requestOverHttp({ httpPort }: Pick<ProxyAddress, 'httpPort'>, host: string, urlPath: string): Promise<ProxyResponse> {
  const outgoing = requestHttp({ host: '127.0.0.1', port: httpPort, path: urlPath, headers: { host } })
  outgoing.end()
  return readAnswer(outgoing)
}
