import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import sharp from 'sharp'
import { type HostAddresses, startNameServer } from './name-server.ts'

// Simulates the internet in a network namespace: a name server, and hosts that serve a picture at every path. Prints a line when all of
// them listen.

interface SimulatedInternet {
  hosts: HostAddresses
  /** The IP addresses of the server that serves the test's picture. */
  servedAddresses: readonly string[]
  keyFile: string
  certFile: string
}

// The cast is safe, because the test itself writes the argument.
const { hosts, servedAddresses, keyFile, certFile } = JSON.parse(process.argv[2] ?? '') as SimulatedInternet
startNameServer(hosts)
const pictureBytes = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#00ff00' } })
  .png()
  .toBuffer()
const tlsCertificate = { key: readFileSync(keyFile), cert: readFileSync(certFile) }
await Promise.all(
  servedAddresses.map(
    (ipAddress) =>
      new Promise<void>((resolve) => {
        createServer(tlsCertificate, (_request, response) => response.setHeader('content-type', 'image/png').end(pictureBytes)).listen(
          443,
          ipAddress,
          resolve,
        )
      }),
  ),
)
process.stdout.write('ready\n')
