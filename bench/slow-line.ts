import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

/** Returns a stream that passes each chunk on after `delayMs`, in order. */
const createDelay = (delayMs: number) =>
  new Transform({
    readableHighWaterMark: 1 << 24,
    transform(chunk, _encoding, callback) {
      setTimeout(() => this.push(chunk), delayMs)
      callback()
    },
    flush(callback) {
      setTimeout(callback, delayMs)
    },
  })

/** Starts a TCP proxy to a local port whose connections have a round-trip time of `roundTripMs`. */
export async function startSlowLine(targetPort: number, roundTripMs: number): Promise<{ port: number; stop(): void }> {
  const openSockets = new Set<Socket>()
  const server = createServer((client) => {
    const targetSocket = connect(targetPort, '127.0.0.1')
    for (const socket of [client, targetSocket]) {
      openSockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => openSockets.delete(socket))
    }
    const ignoreFailure = () => undefined
    pipeline(client, createDelay(roundTripMs / 2), targetSocket, ignoreFailure)
    pipeline(targetSocket, createDelay(roundTripMs / 2), client, ignoreFailure)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe, because a TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop() {
      server.close()
      for (const socket of openSockets) socket.destroy()
    },
  }
}
