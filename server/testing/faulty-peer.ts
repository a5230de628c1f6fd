import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** How a peer fails: it resets or ends the connection, says nothing more, or sends bytes that belong to no protocol. */
export const peerFaults = ['reset', 'end', 'silence', 'garbage'] as const
export type PeerFault = (typeof peerFaults)[number]

/** What a peer says when nothing fails. */
export interface Dialogue {
  /** What it sends as soon as a client has connected. */
  greeting?: string
  /** Returns the reply to what the client has sent since the last reply; `undefined` while that is incomplete. */
  replyTo(message: string): string | undefined
}

export interface FaultyPeerOptions {
  dialogue: Dialogue
  fault: PeerFault
  /** The number of bytes that the peer sends before it fails. It fails as soon as it would send more; without a number, when a client connects. */
  faultAfterBytes: number | undefined
  /** Makes the peer one that speaks TLS. */
  certificate?: { key: Buffer; cert: Buffer } | undefined
}

export interface FaultyPeer {
  port: number
  /** Resets the connections that are open. */
  reset(): void
  close(): Promise<void>
}

const GARBAGE = Buffer.from('\0\xff{]\r\n\x15\x03garbage\r\n\r\n'.repeat(20), 'latin1')

/** @param stream what the peer writes to: the socket, or TLS over it */
function fail(socket: Socket, stream: Socket, fault: PeerFault): void {
  stream.removeAllListeners('data')
  stream.resume()
  if (fault === 'reset') socket.resetAndDestroy()
  if (fault === 'end') stream.end()
  if (fault === 'garbage') stream.end(GARBAGE)
}

/** Starts a server on this machine that keeps to a dialogue up to a moment, and then fails. Texts are in Latin 1, a character for each byte. */
export async function startFaultyPeer({ dialogue, fault, faultAfterBytes, certificate }: FaultyPeerOptions): Promise<FaultyPeer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (faultAfterBytes === undefined) return fail(socket, socket, fault)
    const stream = certificate === undefined ? socket : new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
    let sentBytes = 0
    let message = ''
    const send = (text: string) => {
      const allowed = text.slice(0, Math.max(0, faultAfterBytes - sentBytes))
      sentBytes += allowed.length
      if (allowed === text) return void stream.write(text, 'latin1')
      // Waits until the client has what was sent: a reset would discard it.
      stream.write(allowed, 'latin1', () => setTimeout(fail, 5, socket, stream, fault))
    }
    stream.on('data', (chunk) => {
      message += chunk.toString('latin1')
      const reply = dialogue.replyTo(message)
      if (reply === undefined) return
      message = ''
      send(reply)
    })
    if (dialogue.greeting !== undefined) send(dialogue.greeting)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    // The cast is safe: the server is listening, so its address has a port.
    port: (server.address() as AddressInfo).port,
    reset,
    close: async () => {
      reset()
      server.close()
      await once(server, 'close')
    },
  }
}
