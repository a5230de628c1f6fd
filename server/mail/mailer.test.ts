import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import type { Storage } from '../storage/open.ts'
import { openStorage } from '../storage/open.ts'
import { bundleProgram } from '../testing/bundle-program.ts'
import { createMailer, type Mailer } from './mailer.ts'

let dataDir: string
let storage: Storage
let logLines: string[]
const openMailers: Mailer[] = []
const smtpServers: SMTPServer[] = []
const childProcesses: ChildProcess[] = []
beforeEach(async () => {
  logLines = []
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-mail-'))
  storage = await openStorage({ dataDir })
})
afterEach(async () => {
  for (const child of childProcesses.splice(0)) child.kill('SIGKILL')
  for (const mailer of openMailers.splice(0)) await mailer.close()
  for (const server of smtpServers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()))
  await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

const testMail = {
  to: 'ann@example.com',
  subject: 'Zurücksetzen',
  text: 'Open this:\n\nhttp://localhost/x?oobCode=abc',
  link: 'http://localhost/x?oobCode=abc',
  expiresMs: Date.now() + 3_600_000,
}

/** Opens a mailer whose clock is ahead by `clockAheadMs`. */
function openMailer(smtpUrl?: string, clockAheadMs = 0, mailFrom = 'Site <no-reply@example.org>'): Mailer {
  const mailer = createMailer({
    config: { smtpUrl, mailFrom, dataDir },
    mails: storage.mails,
    nowMs: () => Date.now() + clockAheadMs,
    log: createLog('info', { write: (line) => logLines.push(line) }),
  })
  openMailers.push(mailer)
  return mailer
}

const waitUntilSettled = () => vi.waitFor(async () => expect(await storage.mails.nextDueMs()).toBeUndefined(), { timeout: 30_000 })

interface ReceivedMail {
  from: string
  to: string[]
  text: string
}

interface SmtpOptions {
  user?: string
  password?: string
  /** Decides whether the simulated server accepts the sender. An error with a `responseCode` refuses the mail. */
  refusal?: () => Error | null
  /** Decides whether the simulated server accepts the recipient. */
  recipientRefusal?: () => Error | null
  /** Called when the recipient of a mail is announced, before its content is sent. */
  onRecipient?: (session: SMTPServerSession) => void
}

const createRefusal = (responseCode: number) => Object.assign(new Error('refused'), { responseCode })

/** Starts an SMTP server. Returns its address. */
async function startSmtp(
  receivedMails: ReceivedMail[],
  { user, password, refusal = () => null, recipientRefusal = () => null, onRecipient }: SmtpOptions = {},
): Promise<string> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: user === undefined,
    onAuth: (auth, _session, done) => {
      const hasValidCredentials = auth.username === user && auth.password === password
      done(hasValidCredentials ? null : new Error('wrong password'), { user: auth.username })
    },
    onMailFrom: (_address, _session, done) => done(refusal()),
    onRcptTo: (_address, session, done) => {
      onRecipient?.(session)
      done(recipientRefusal())
    },
    onData: (stream, session, done) => {
      const mailChunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => mailChunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        receivedMails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((each) => each.address),
          text: Buffer.concat(mailChunks).toString('utf8'),
        })
        done()
      })
    },
  })
  // A killed process resets its connection.
  server.on('error', () => {})
  smtpServers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: the server is listening, so its address has a port.
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

it('a mail is sent over SMTP with authentication', async () => {
  const receivedMails: ReceivedMail[] = []
  const smtpUrl = await startSmtp(receivedMails, { user: 'site', password: 'hunter2' })
  await openMailer(`smtp://site:hunter2@${smtpUrl}`).send({ ...testMail, replyTo: 'bea@example.com' })
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
  expect(receivedMails[0]).toMatchObject({ from: 'no-reply@example.org', to: ['ann@example.com'] })
  expect(receivedMails[0]?.text).toContain('http://localhost/x?oobCode')
  expect(receivedMails[0]?.text).toMatch(/^Reply-To: bea@example\.com\r$/m)
  // Checks that the link is not logged if mails are sent by SMTP.
  expect(logLines.join('')).not.toContain('oobCode')
  expect(await readdir(dataDir)).not.toContain('outbox')
})

it('the sender of a mail has the name of the site, unless the configuration contains a name; the mail also has an HTML version with escaped text and its link as the only button', async () => {
  const receivedMails: ReceivedMail[] = []
  const smtpUrl = `smtp://${await startSmtp(receivedMails)}`
  const mailTexts = {
    sender: 'Night "Owl" <b>',
    action: 'Choose & go',
    text: `<script>x</script>\nA & B\n\n${testMail.link}&x="y"`,
    link: `${testMail.link}&x="y"`,
  }
  await openMailer(smtpUrl).send({ ...testMail, ...mailTexts })
  await openMailer(smtpUrl, 0, 'no-reply@example.org').send({ ...testMail, ...mailTexts })
  await waitUntilSettled()
  const senderHeaders = receivedMails.map(({ text }) => /^From: (.*)\r$/m.exec(text)?.[1]).sort()
  expect(senderHeaders).toEqual(['"Night \\"Owl\\" <b>" <no-reply@example.org>', 'Site <no-reply@example.org>'])
  const mailHtml = receivedMails[0]?.text.split('Content-Type: text/html')[1]?.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? ''
  expect(receivedMails[0]?.text).toContain('multipart/alternative')
  expect(mailHtml).toContain('<p>&lt;script&gt;x&lt;/script&gt;<br>A &amp; B</p>')
  expect(mailHtml.match(/<a /g)).toHaveLength(1)
  expect(mailHtml).toContain('href="http://localhost/x?oobCode=abc&amp;x=&quot;y&quot;"')
  expect(mailHtml).toContain('>Choose &amp; go</a>')
})

it('after a temporary SMTP failure the mail is sent again', async () => {
  const receivedMails: ReceivedMail[] = []
  const queuedRefusals = [createRefusal(451)]
  await openMailer(`smtp://${await startSmtp(receivedMails, { refusal: () => queuedRefusals.pop() ?? null })}`).send(testMail)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
  expect(logLines.join('')).toContain('a mail could not be sent')
})

it('a mail is given up if its recipient is refused or it would expire before the next attempt', async () => {
  const receivedMails: ReceivedMail[] = []
  const queuedRefusals = [createRefusal(550), createRefusal(451)]
  const mailer = openMailer(`smtp://${await startSmtp(receivedMails, { recipientRefusal: () => queuedRefusals.shift() ?? null })}`)
  await mailer.send(testMail)
  await waitUntilSettled()
  await mailer.send({ ...testMail, expiresMs: Date.now() + 500 })
  await waitUntilSettled()
  expect(queuedRefusals).toEqual([])
  expect(receivedMails).toEqual([])
})

it('a refusal that contains the recipient is logged with the first letter and the domain of the address only', async () => {
  const refusal = Object.assign(new Error('5.1.1 <ann@example.com>: Recipient address rejected'), { responseCode: 550 })
  await openMailer(`smtp://${await startSmtp([], { recipientRefusal: () => refusal })}`).send(testMail)
  await waitUntilSettled()
  const logText = logLines.join('')
  expect(logText).toContain('550 5.1.1 <a…@example.com>: Recipient address rejected')
  expect(logText).not.toContain('ann@')
})

it('a mail is kept while the server refuses the log-in or the sender, because an administrator can fix both', {
  tags: ['long'],
}, async () => {
  const receivedMails: ReceivedMail[] = []
  const queuedRefusals = [createRefusal(550)]
  const smtpUrl = await startSmtp(receivedMails, { user: 'site', password: 'hunter2', refusal: () => queuedRefusals.pop() ?? null })
  await openMailer(`smtp://site:wrong@${smtpUrl}`).send(testMail)
  await vi.waitFor(() => expect(logLines.join('')).toContain('could not be sent'), { timeout: 30_000 })
  await openMailers.pop()?.close()
  expect(await storage.mails.nextDueMs()).toBeDefined()
  openMailer(`smtp://site:hunter2@${smtpUrl}`, 600_000)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
})

it('neither the log-in nor mails are sent unencrypted to another machine, unless SMTP_URL allows it', async () => {
  const receivedMails: ReceivedMail[] = []
  // The IP address 0.0.0.0 reaches this machine, but is not among the addresses that the mailer recognises as this machine.
  const smtpUrl = (await startSmtp(receivedMails)).replace('127.0.0.1', '0.0.0.0')
  await openMailer(`smtp://site:hunter2@${smtpUrl}`).send(testMail)
  await vi.waitFor(() => expect(logLines.join('')).toMatch(/could not be sent|STARTTLS/), { timeout: 30_000 })
  expect(logLines.join('')).toMatch(/TLS/)
  await openMailers.pop()?.close()
  expect(receivedMails).toEqual([])
  openMailer(`smtp://${smtpUrl}?requireTLS=false`, 600_000)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
})

it('an expired mail is not sent', async () => {
  const receivedMails: ReceivedMail[] = []
  await storage.mails.add({ ...testMail, expiresMs: Date.now() - 1 }, Date.now())
  openMailer(`smtp://${await startSmtp(receivedMails)}`)
  await waitUntilSettled()
  expect(receivedMails).toEqual([])
})

it('a mail is sent once even if its outcome cannot be stored for a while', async () => {
  const receivedMails: ReceivedMail[] = []
  let remainingFailures = 2
  const { settle } = storage.mails
  vi.spyOn(storage.mails, 'settle').mockImplementation((claimedMail, deliveryOutcome) => {
    if (remainingFailures-- > 0) return Promise.reject(new Error('the database is away'))
    return settle(claimedMail, deliveryOutcome)
  })
  await openMailer(`smtp://${await startSmtp(receivedMails)}`).send(testMail)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
})

it('user-supplied texts in a mail cannot add headers or recipients', async () => {
  const receivedMails: ReceivedMail[] = []
  const mailer = openMailer(`smtp://${await startSmtp(receivedMails, { refusal: () => null })}`)
  await mailer.send({ ...testMail, to: 'a@example.com, b@example.com' })
  await mailer.send({ ...testMail, subject: 'x\r\nBcc: c@example.com', replyTo: 'd@example.com\r\nBcc: e@example.com' })
  await vi.waitFor(() => expect(receivedMails.length).toBeGreaterThan(0), { timeout: 30_000 })
  expect(receivedMails.map((each) => each.to)).toEqual([['ann@example.com']])
  expect(receivedMails[0]?.text).not.toMatch(/^Bcc:/m)
})

it('without SMTP, a mail is written to a file that only the server’s user can read, and its link is logged', async () => {
  await openMailer().send(testMail)
  await waitUntilSettled()
  const outboxPath = join(dataDir, 'outbox')
  const [mailFileName = '', ...otherNames] = await readdir(outboxPath)
  expect(otherNames).toEqual([])
  expect(mailFileName).toMatch(/^\d{4}-\d{2}-\d{2}T[\dZ-]+-[0-9a-f]{8}\.eml$/)
  expect((await stat(join(outboxPath, mailFileName))).mode & 0o777).toBe(0o600)
  const text = await readFile(join(outboxPath, mailFileName), 'utf8')
  expect(text).toMatch(/^From: Site <no-reply@example\.org>\r\nTo: ann@example\.com\r\nSubject: =\?UTF-8\?/)
  expect(logLines.join('')).toContain(testMail.link)
})

it('a mail that was stored while no mailer was running is sent when one starts', async () => {
  const receivedMails: ReceivedMail[] = []
  await storage.mails.add(testMail, Date.now())
  openMailer(`smtp://${await startSmtp(receivedMails)}`)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
})

// The time limit is long, because starting a process takes long on a busy machine.
it('a mail is sent exactly once, even if the process is killed while it sends', { timeout: 90_000 }, async () => {
  const receivedMails: ReceivedMail[] = []
  let mailerProcess: ChildProcess | undefined
  const smtpUrl = await startSmtp(receivedMails, { onRecipient: () => mailerProcess?.kill('SIGKILL') })
  await storage.mails.add(testMail, Date.now())
  const programPath = await bundleProgram(new URL('./testing/mail-process.ts', import.meta.url))
  mailerProcess = spawn(process.execPath, [programPath, dataDir, `smtp://${smtpUrl}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  childProcesses.push(mailerProcess)
  await new Promise((resolve) => mailerProcess?.once('exit', resolve))
  mailerProcess = undefined
  expect(receivedMails).toEqual([])
  expect(await storage.mails.nextDueMs()).toBeGreaterThan(Date.now())
  // The claim of the killed process has expired.
  openMailer(`smtp://${smtpUrl}`, 3_600_000 / 2)
  await waitUntilSettled()
  expect(receivedMails).toHaveLength(1)
  expect(receivedMails[0]?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@example\.org>\r$/m)
})
