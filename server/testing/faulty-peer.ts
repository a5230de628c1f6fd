import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** The ways in which a peer fails: it resets or ends the connection, falls silent, or sends bytes that belong to no protocol. */
export const peerFaults = ['reset', 'end', 'silence', 'garbage'] as const
export type PeerFault = (typeof peerFaults)[number]

/** The replies of a peer that does not fail. */
export interface PeerDialogue {
  /** The text that the peer sends as soon as a client has connected. */
  greeting?: string
  /** Returns the reply to everything that the client has sent since the last reply, or `undefined` while that is incomplete. */
  replyTo(message: string): string | undefined
}

export interface FaultyPeerOptions {
  dialogue: PeerDialogue
  fault: PeerFault
  /**
   * The number of bytes after which the peer fails, as soon as it would send more. If it is undefined, the peer fails when a client
   * connects.
   */
  faultAfterBytes: number | undefined
  /** The certificate and key with which the peer speaks TLS. Without them, it speaks plain TCP. */
  certificate?: { key: Buffer; cert: Buffer } | undefined
}

export interface FaultyPeer {
  port: number
  /** Resets all open connections. */
  reset(): void
  close(): Promise<void>
}

const GARBAGE_BYTES = Buffer.from('\0\xff{]\r\n\x15\x03garbage\r\n\r\n'.repeat(20), 'latin1')

/** @param stream the stream to which the peer writes: the socket, or TLS over it */
function causeFault(socket: Socket, stream: Socket, fault: PeerFault): void {
  stream.removeAllListeners('data')
  stream.resume()
  if (fault === 'reset') socket.resetAndDestroy()
  if (fault === 'end') stream.end()
  if (fault === 'garbage') stream.end(GARBAGE_BYTES)
}

/**
 * Starts a server on this machine that follows a dialogue up to a certain moment, and then fails. Texts are in Latin-1, with one character
 * for each byte.
 */
export async function startFaultyPeer({ dialogue, fault, faultAfterBytes, certificate }: FaultyPeerOptions): Promise<FaultyPeer> {
  const openSockets = new Set<Socket>()
  const server = createServer((socket) => {
    openSockets.add(socket)
    socket.on('error', () => {}).on('close', () => openSockets.delete(socket))
    if (faultAfterBytes === undefined) return causeFault(socket, socket, fault)
    const peerStream = certificate === undefined ? socket : new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
    let sentBytes = 0
    let unansweredText = ''
    const sendText = (receivedText: string) => {
      const textBeforeFault = receivedText.slice(0, Math.max(0, faultAfterBytes - sentBytes))
      sentBytes += textBeforeFault.length
      if (textBeforeFault === receivedText) return void peerStream.write(receivedText, 'latin1')
      // Waits until the client has received everything that was sent, because resetting the connection would discard it.
      peerStream.write(textBeforeFault, 'latin1', () => setTimeout(causeFault, 5, socket, peerStream, fault))
    }
    peerStream.on('data', (chunk) => {
      unansweredText += chunk.toString('latin1')
      const replyText = dialogue.replyTo(unansweredText)
      if (replyText === undefined) return
      unansweredText = ''
      sendText(replyText)
    })
    if (dialogue.greeting !== undefined) sendText(dialogue.greeting)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const resetPeer = () => {
    for (const socket of openSockets) socket.resetAndDestroy()
  }
  return {
    // The cast is safe: the server is listening, so its address has a port.
    port: (server.address() as AddressInfo).port,
    reset: resetPeer,
    close: async () => {
      resetPeer()
      server.close()
      await once(server, 'close')
    },
  }
}
