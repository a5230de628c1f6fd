import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { renderMailHtml } from './html.ts'
import type { ClaimedMail } from './store.ts'

/** Delivers one mail. Rejects if it could not be delivered. */
export type DeliverMail = (mail: ClaimedMail) => Promise<void>

const MINUTE_MS = 60_000
/** The maximum duration of an attempt, even if the server keeps answering one line at a time. */
const ATTEMPT_MAX_MS = 15 * MINUTE_MS
/**
 * A server may take ten minutes to accept a message (RFC 5321, 4.5.3.2.6). A client with a shorter timeout would send the message again although
 * the server accepts it later.
 */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10 * MINUTE_MS }

/** Hosts of this machine, to which mails may go unencrypted. */
const OWN_MACHINE_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

/** Returns the message that nodemailer composes. Its id and date are the same in every attempt. */
function toMailMessage(mail: ClaimedMail, fromAddress: string) {
  const { id, to, replyTo, sender, subject, text, createdMs } = mail
  const [mailDomain] = fromAddress.slice(fromAddress.lastIndexOf('@') + 1).split('>', 1)
  return {
    // If the configured sender address contains a name, it takes precedence over the name of the site.
    from: fromAddress.includes('<') || sender === undefined ? fromAddress : { name: sender, address: fromAddress },
    to: { name: '', address: to },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html: renderMailHtml(mail),
    messageId: `<${id}@${mailDomain}>`,
    date: new Date(createdMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Connects to an SMTP server. Another machine is connected to with encryption only. */
export function createSmtpTransport(smtpUrl: string) {
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries(SMTP_TIMEOUTS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value))
  }
  // Requires TLS: otherwise an attacker in the network could hide that the mail server offers TLS, and read the login and the mails.
  if (!OWN_MACHINE_HOST.test(url.hostname) && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true')
  return createTransport(url.href)
}

/** Creates the delivery over SMTP. */
export function createSmtpDelivery(smtpUrl: string, fromAddress: string): DeliverMail {
  const smtpTransport = createSmtpTransport(smtpUrl)
  return async (mail) => {
    await smtpTransport.sendMail({ ...toMailMessage(mail, fromAddress), signal: AbortSignal.timeout(ATTEMPT_MAX_MS) })
  }
}

/**
 * Writes each mail atomically as an `.eml` file in `DATA_DIR/outbox`, readable by the server's user only, as it may hold a reset link. A second attempt
 * writes the same file.
 */
function createOutboxDelivery(dataDir: string, fromAddress: string, log: Log): DeliverMail {
  const composeTransport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const outboxDir = join(dataDir, 'outbox')
  return async (mail) => {
    const { message } = await composeTransport.sendMail(toMailMessage(mail, fromAddress))
    await mkdir(outboxDir, { recursive: true, mode: 0o700 })
    const mailFileName = `${new Date(mail.createdMs).toISOString().replace(/[:.]/g, '-')}-${mail.id.slice(0, 8)}`
    const temporaryPath = join(outboxDir, `${mailFileName}.tmp`)
    // The cast is safe: the option `buffer` makes the message a Buffer, while its declared type includes streams.
    await writeFile(temporaryPath, message as Buffer, { mode: 0o600 })
    await rename(temporaryPath, join(outboxDir, `${mailFileName}.eml`))
    log.info(
      { file: join('outbox', `${mailFileName}.eml`), ...(mail.link === undefined ? {} : { link: mail.link }) },
      'a mail was written to a file',
    )
  }
}

/** Delivers over SMTP if a server is configured, else to files. */
export const createMailDelivery = (
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  log: Log,
): DeliverMail => (smtpUrl === undefined ? createOutboxDelivery(dataDir, mailFrom, log) : createSmtpDelivery(smtpUrl, mailFrom))

/**
 * Whether the server or nodemailer refused this mail's recipient or content permanently, so that a retry is pointless. A refused login or sender
 * does not count as permanent, because an administrator can correct the settings.
 */
export function isPermanentRefusal(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error) || (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE')) return false
  const smtpCommand = 'command' in error ? error.command : undefined
  const responseCode = 'responseCode' in error ? error.responseCode : undefined
  // An error without a response was created by nodemailer itself. A response without a status code is malformed.
  const isRefusal = 'response' in error ? typeof responseCode === 'number' && responseCode >= 500 : true
  return smtpCommand !== 'MAIL FROM' && isRefusal
}
