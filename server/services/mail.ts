import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Log } from './log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The link that the mail is about: logged where mails go to files, as nobody else delivers it then. */
  link?: string
}

export interface Mailer {
  /** Takes the mail and returns at once; what becomes of it stands in the log. */
  send(mail: Mail): void
  /** Resolves once what was taken so far is delivered or given up, or after some seconds. */
  idle(): Promise<void>
}

/** Mails that wait; more are dropped, with a line in the log. */
const WAITING_MAX = 1000
const SENDING_MAX = 4
const IDLE_MAX_MS = 8000
const RETRY_AFTER_MS = [1000, 10_000, 60_000]
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** What the receiving server refused for good: asking again gives the same answer. */
const isFinal = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' && error.responseCode >= 500

type Deliver = (mail: Mail) => Promise<void>

function smtpDelivery(smtpUrl: string, from: string): Deliver {
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries(SMTP_TIMEOUTS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value))
  }
  const transport = createTransport(url.href)
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text, disableFileAccess: true, disableUrlAccess: true })
  }
}

/** Whole files only, readable by the server's user only: a reset link stands in them. */
function outboxDelivery(dataDir: string, from: string, log: Log): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const directory = join(dataDir, 'outbox')
  return async ({ to, subject, text, link }) => {
    const { message } = await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
    const draft = join(directory, `${name}.tmp`)
    // With `buffer`, the message is a buffer; the types allow a stream as well.
    await writeFile(draft, message as Buffer, { mode: 0o600, flag: 'wx' })
    await rename(draft, join(directory, `${name}.eml`))
    log.info({ file: join('outbox', `${name}.eml`), ...(link === undefined ? {} : { link }) }, 'a mail was written to a file')
  }
}

interface MailerDeps {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>
  log: Log
}

/** Sends mails in the background: over SMTP, or to files. An SMTP server that is away is asked again, for about a minute. */
export function createMailer({ config, log }: MailerDeps): Mailer {
  const { smtpUrl, mailFrom, dataDir } = config
  const deliver = smtpUrl === undefined ? outboxDelivery(dataDir, mailFrom, log) : smtpDelivery(smtpUrl, mailFrom)
  const retries = smtpUrl === undefined ? [] : RETRY_AFTER_MS
  const waiting: Mail[] = []
  const sending = new Set<Promise<void>>()

  async function tryAll(mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await deliver(mail)
        return
      } catch (error) {
        const delayMs = isFinal(error) ? undefined : retries[attempt]
        log.error({ err: error, again: delayMs !== undefined }, 'a mail could not be sent')
        if (delayMs === undefined) return
        await sleep(delayMs, undefined, { ref: false })
      }
    }
  }

  function next(): void {
    if (sending.size >= SENDING_MAX) return
    const mail = waiting.shift()
    if (mail === undefined) return
    const done = tryAll(mail).finally(() => {
      sending.delete(done)
      next()
    })
    sending.add(done)
  }

  return {
    send(mail) {
      if (waiting.length >= WAITING_MAX) {
        log.error('too many mails wait: one was dropped')
        return
      }
      waiting.push(mail)
      next()
    },
    async idle() {
      const deadline = Date.now() + IDLE_MAX_MS
      while (sending.size > 0 && Date.now() < deadline) await Promise.race([Promise.all(sending), sleep(deadline - Date.now())])
    },
  }
}
