import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { openStorage } from '../storage/open.ts'
import { createMailer } from './mailer.ts'

/**
 * The time that the server takes to accept a message. It is longer than a timeout of some seconds, and far shorter than the ten minutes of
 * RFC 5321.
 */
const ACCEPTANCE_MS = 25_000

/** An SMTP server that accepts each message only after a long time. */
function serveSmtp(socket: Socket, receivedMessages: string[]): void {
  let bufferedText = ''
  let isReadingMessage = false
  socket.on('error', () => {})
  socket.write('220 ready\r\n')
  socket.on('data', async (chunk) => {
    bufferedText += chunk.toString()
    const endMark = isReadingMessage ? '\r\n.\r\n' : '\r\n'
    if (!bufferedText.endsWith(endMark)) return
    const receivedText = bufferedText
    bufferedText = ''
    if (isReadingMessage) {
      isReadingMessage = false
      receivedMessages.push(receivedText)
      await sleep(ACCEPTANCE_MS)
    }
    isReadingMessage = receivedText === 'DATA\r\n'
    socket.write(isReadingMessage ? '354 go ahead\r\n' : '250 ok\r\n')
  })
}

it('a mail is sent once if the server accepts it late', { timeout: 180_000 }, async () => {
  const receivedMessages: string[] = []
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-mail-'))
  const storage = await openStorage({ dataDir })
  const server = createServer((socket) => serveSmtp(socket, receivedMessages)).listen(0, '127.0.0.1')
  await vi.waitFor(() => expect(server.listening).toBe(true), { timeout: 30_000 })
  // The cast is safe: the server is listening, so its address has a port.
  const { port } = server.address() as AddressInfo
  const mailConfig = { smtpUrl: `smtp://127.0.0.1:${port}?ignoreTLS=true`, mailFrom: 'no-reply@example.org', dataDir }
  const mailer = createMailer({ config: mailConfig, mails: storage.mails, nowMs: Date.now, log: createLog('silent') })
  try {
    await mailer.send({ to: 'ann@example.com', subject: 'Late', text: 'Hello', expiresMs: Date.now() + 3_600_000 })
    await vi.waitFor(async () => expect(await storage.mails.nextDueMs()).toBeUndefined(), { timeout: 120_000 })
    expect(receivedMessages).toHaveLength(1)
  } finally {
    await mailer.close()
    server.close()
    await storage.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
