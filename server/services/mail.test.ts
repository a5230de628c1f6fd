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

const log = () => createLog('info', { write: (line) => lines.push(line) })
const mailer = (smtpUrl?: string) => createMailer({ config: { smtpUrl, mailFrom: 'Site <no-reply@example.org>', dataDir }, log: log() })
const mail = {
  to: 'ann@example.com',
  subject: 'Zurücksetzen',
  text: 'Open this:\n\nhttp://localhost/x?oobCode=abc',
  link: 'http://localhost/x?oobCode=abc',
}

interface Received {
  from: string
  to: string[]
  text: string
}

/** A real SMTP server; it turns away the first mails where `busy` says how many. */
async function smtpServer(received: Received[], options: { busy?: number; user?: string; password?: string } = {}): Promise<string> {
  let busy = options.busy ?? 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: options.user === undefined,
    onAuth: (auth, _session, done) => {
      const right = auth.username === options.user && auth.password === options.password
      done(right ? null : new Error('wrong password'), { user: auth.username })
    },
    onMailFrom: (_address, _session, done) => done(busy-- > 0 ? Object.assign(new Error('try later'), { responseCode: 451 }) : null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
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
  // Listening, so it has an address with a port.
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

it('a mail goes over SMTP, with a user and a password', async () => {
  const received: Received[] = []
  const address = await smtpServer(received, { user: 'site', password: 'hunter2' })
  const sender = mailer(`smtp://site:hunter2@${address}`)
  sender.send(mail)
  await sender.idle()
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'no-reply@example.org', to: ['ann@example.com'] })
  expect(received[0]?.text).toContain('http://localhost/x?oobCode')
  // The link is nobody's but the receiver's.
  expect(lines.join('')).not.toContain('oobCode')
  expect(await readdir(dataDir)).toEqual([])
})

it('a server that is busy is asked again', async () => {
  const received: Received[] = []
  const sender = mailer(`smtp://${await smtpServer(received, { busy: 1 })}`)
  sender.send(mail)
  await sender.idle()
  expect(received).toHaveLength(1)
  expect(lines.join('')).toContain('a mail could not be sent')
})

it('a site’s name cannot add a header, nor an address a receiver; what is refused for good is not sent again', async () => {
  const received: Received[] = []
  const sender = mailer(`smtp://${await smtpServer(received)}`)
  sender.send({ ...mail, to: 'a@example.com, b@example.com' })
  sender.send({ ...mail, subject: 'x\r\nBcc: c@example.com' })
  await sender.idle()
  expect(received.map((each) => each.to)).toEqual([['ann@example.com']])
  expect(received[0]?.text).not.toMatch(/^Bcc:/m)
  expect(lines.filter((line) => line.includes('could not be sent'))).toHaveLength(1)
})

it('without a server, a mail is a file that only the server’s user reads, and its link is logged', async () => {
  const sender = mailer()
  sender.send(mail)
  await sender.idle()
  const outbox = join(dataDir, 'outbox')
  const [name = '', ...more] = await readdir(outbox)
  expect(more).toEqual([])
  expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T[\dZ-]+-[0-9a-f]{8}\.eml$/)
  expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600)
  const text = await readFile(join(outbox, name), 'utf8')
  expect(text).toMatch(/^From: Site <no-reply@example\.org>\r\nTo: ann@example\.com\r\nSubject: =\?UTF-8\?/)
  expect(lines.join('')).toContain(mail.link)
})
