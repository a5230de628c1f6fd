import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { createMailer } from './mail.ts'

let dataDir: string
let lines: string[]
const servers: SMTPServer[] = []
beforeEach(async () => {
  lines = []
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-mail-'))
})
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()))
  await rm(dataDir, { recursive: true, force: true })
})

const createTestLog = () => createLog('info', { write: (line) => lines.push(line) })
const createTestMailer = (smtpUrl?: string) =>
  createMailer({ config: { smtpUrl, mailFrom: 'Site <no-reply@example.org>', dataDir }, log: createTestLog() })
const mail = {
  to: 'ann@example.com',
  subject: 'Zurücksetzen',
  text: 'Open this:\n\nhttp://localhost/x?oobCode=abc',
  link: 'http://localhost/x?oobCode=abc',
}

interface ReceivedMail {
  from: string
  to: string[]
  text: string
}

/** Starts an SMTP server that temporarily refuses the first `busy` mails. */
async function smtpServer(
  receivedMails: ReceivedMail[],
  options: { temporaryRefusals?: number; user?: string; password?: string } = {},
): Promise<string> {
  let remainingRefusals = options.temporaryRefusals ?? 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: options.user === undefined,
    onAuth: (auth, _session, done) => {
      const hasValidCredentials = auth.username === options.user && auth.password === options.password
      done(hasValidCredentials ? null : new Error('wrong password'), { user: auth.username })
    },
    onMailFrom: (_address, _session, done) =>
      done(remainingRefusals-- > 0 ? Object.assign(new Error('try later'), { responseCode: 451 }) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        receivedMails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((each) => each.address),
          text: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: the server is listening, so its address has a port.
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

it('sends a mail over SMTP with authentication', async () => {
  const received: ReceivedMail[] = []
  const address = await smtpServer(received, { user: 'site', password: 'hunter2' })
  const sender = createTestMailer(`smtp://site:hunter2@${address}`)
  sender.send(mail)
  await sender.idle()
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'no-reply@example.org', to: ['ann@example.com'] })
  expect(received[0]?.text).toContain('http://localhost/x?oobCode')
  // Checks that the link is not logged if mails are sent by SMTP.
  expect(lines.join('')).not.toContain('oobCode')
  expect(await readdir(dataDir)).toEqual([])
})

it('retries after a temporary SMTP failure', async () => {
  const received: ReceivedMail[] = []
  const sender = createTestMailer(`smtp://${await smtpServer(received, { temporaryRefusals: 1 })}`)
  sender.send(mail)
  await sender.idle()
  expect(received).toHaveLength(1)
  expect(lines.join('')).toContain('a mail could not be sent')
})

it('prevents header injection and additional recipients, and does not retry a permanent refusal', async () => {
  const received: ReceivedMail[] = []
  const sender = createTestMailer(`smtp://${await smtpServer(received)}`)
  sender.send({ ...mail, to: 'a@example.com, b@example.com' })
  sender.send({ ...mail, subject: 'x\r\nBcc: c@example.com' })
  await sender.idle()
  expect(received.map((each) => each.to)).toEqual([['ann@example.com']])
  expect(received[0]?.text).not.toMatch(/^Bcc:/m)
  expect(lines.filter((line) => line.includes('could not be sent'))).toHaveLength(1)
})

it('without SMTP, writes a mail to a file that only the server’s user can read, and logs its link', async () => {
  const sender = createTestMailer()
  sender.send(mail)
  await sender.idle()
  const outbox = join(dataDir, 'outbox')
  const [name = '', ...otherNames] = await readdir(outbox)
  expect(otherNames).toEqual([])
  expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T[\dZ-]+-[0-9a-f]{8}\.eml$/)
  expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600)
  const text = await readFile(join(outbox, name), 'utf8')
  expect(text).toMatch(/^From: Site <no-reply@example\.org>\r\nTo: ann@example\.com\r\nSubject: =\?UTF-8\?/)
  expect(lines.join('')).toContain(mail.link)
})
