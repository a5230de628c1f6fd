import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import pLimit from 'p-limit'
import type { Config } from '../config.ts'
import type { Log } from './log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The link in the mail's text. It is logged if mails are written to files, because an administrator has to pass it on. */
  link?: string
}

export interface Mailer {
  /** Queues the mail and returns at once. Success and failure are logged. */
  send(mail: Mail): void
  /** Resolves when all queued mails are delivered or abandoned, or after 8 seconds. */
  idle(): Promise<void>
}

/** The number of mails that may wait for a free delivery; further ones are dropped and logged. */
const PENDING_MAX = 1000
/** The number of mails that are delivered at the same time. */
const DELIVERIES_MAX = 4
const IDLE_MAX_MS = 8000
const SMTP_RETRY_DELAYS_MS = [1000, 10_000, 60_000]
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Whether the SMTP server refused the mail permanently (a 5xx reply), so that a retry is pointless. */
const isPermanentRefusal = (error: unknown) =>
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

/** Writes each mail atomically as an `.eml` file in `DATA_DIR/outbox`, readable by the server's user only, as it may hold a reset link. */
function outboxDelivery(dataDir: string, from: string, log: Log): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const directory = join(dataDir, 'outbox')
  return async ({ to, subject, text, link }) => {
    const { message } = await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`
    const temporaryPath = join(directory, `${name}.tmp`)
    // The cast is safe: the option `buffer` makes the message a Buffer, while its declared type includes streams.
    await writeFile(temporaryPath, message as Buffer, { mode: 0o600, flag: 'wx' })
    await rename(temporaryPath, join(directory, `${name}.eml`))
    log.info({ file: join('outbox', `${name}.eml`), ...(link === undefined ? {} : { link }) }, 'a mail was written to a file')
  }
}

interface MailerDeps {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>
  log: Log
}

/**
 * Sends mails in the background, over SMTP or as files. A failed SMTP delivery is retried for about a minute, unless the server's refusal
 * is permanent.
 */
export function createMailer({ config, log }: MailerDeps): Mailer {
  const { smtpUrl, mailFrom, dataDir } = config
  const deliver = smtpUrl === undefined ? outboxDelivery(dataDir, mailFrom, log) : smtpDelivery(smtpUrl, mailFrom)
  const retryDelaysMs = smtpUrl === undefined ? [] : SMTP_RETRY_DELAYS_MS
  const limit = pLimit(DELIVERIES_MAX)
  const deliveries = new Set<Promise<void>>()

  async function deliverWithRetries(mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await deliver(mail)
        return
      } catch (error) {
        const delayMs = isPermanentRefusal(error) ? undefined : retryDelaysMs[attempt]
        log.error({ err: error, again: delayMs !== undefined }, 'a mail could not be sent')
        if (delayMs === undefined) return
        await sleep(delayMs, undefined, { ref: false })
      }
    }
  }

  return {
    send(mail) {
      if (limit.pendingCount >= PENDING_MAX) {
        log.error(`${PENDING_MAX} mails are waiting to be sent; the new one was dropped`)
        return
      }
      const delivery = limit(() => deliverWithRetries(mail)).finally(() => deliveries.delete(delivery))
      deliveries.add(delivery)
    },
    async idle() {
      const deadlineMs = Date.now() + IDLE_MAX_MS
      while (deliveries.size > 0 && Date.now() < deadlineMs) await Promise.race([Promise.all(deliveries), sleep(deadlineMs - Date.now())])
    },
  }
}
