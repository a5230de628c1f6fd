import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../server.ts'

/** A TCP proxy between two programs on this machine, which a test can interrupt like a network. */
export interface NetworkLink {
  port: number
  /** Ends all connections with a reset, and refuses further ones for a time. */
  cut(forMs: number): Promise<void>
  /** Delivers nothing for a time, in either direction, and then everything. */
  stall(forMs: number): Promise<void>
  close(): Promise<void>
}

export async function startNetworkLink(targetPort: number): Promise<NetworkLink> {
  const openSockets = new Set<Socket>()
  let isLinkCut = false
  let isLinkStalled = false
  const addSocket = (socket: Socket, otherSocket: () => Socket) => {
    openSockets.add(socket)
    socket.on('error', () => undefined)
    // Data that the other side has not sent yet is sent before the connection is closed.
    socket.on('end', () => otherSocket().end())
    socket.on('close', (hasFailed) => {
      openSockets.delete(socket)
      if (hasFailed) otherSocket().resetAndDestroy()
      else otherSocket().end()
    })
    if (isLinkStalled) socket.pause()
  }
  const server = createServer({ allowHalfOpen: false }, (clientSocket) => {
    if (isLinkCut) return void clientSocket.resetAndDestroy()
    const serverSocket = connect({ host: '127.0.0.1', port: targetPort })
    // `pipe` would resume a paused socket.
    clientSocket.on('data', (chunk) => void (serverSocket.write(chunk) || clientSocket.pause()))
    serverSocket.on('data', (chunk) => void (clientSocket.write(chunk) || serverSocket.pause()))
    clientSocket.on('drain', () => void (isLinkStalled || serverSocket.resume()))
    serverSocket.on('drain', () => void (isLinkStalled || clientSocket.resume()))
    addSocket(clientSocket, () => serverSocket)
    addSocket(serverSocket, () => clientSocket)
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    async cut(durationMs) {
      isLinkCut = true
      for (const socket of openSockets) socket.resetAndDestroy()
      await sleep(durationMs)
      isLinkCut = false
    },
    async stall(durationMs) {
      isLinkStalled = true
      for (const socket of openSockets) socket.pause()
      await sleep(durationMs)
      isLinkStalled = false
      for (const socket of openSockets) socket.resume()
    },
    async close() {
      for (const socket of openSockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
