import { DAY_MS } from '../durations.ts'
import type { Mail } from '../mail/store.ts'
import type { Account } from './store-account-rows.ts'
import type { CodeKind } from './store-codes.ts'

export interface MailContext {
  /** The origin of the links in mails, from the configuration. */
  origin: string
  /** The name of the site that the mail is about. */
  siteName: string
  /** The domain that the mail shows below the name. */
  siteDomain: string
}

const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const formatMinute = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 16)

/** Returns the site's name on one line, which prevents header injection. */
export const formatSiteName = ({ siteName }: MailContext) => siteName.replace(/\s+/g, ' ')

/** Returns the last lines of a mail: the site's name and domain. */
export const createSignature = (context: MailContext) => [formatSiteName(context), context.siteDomain.trim()].filter(Boolean).join('\n')

const codeMailTextsByKind: Record<
  CodeKind,
  { path: string; action: string; subject: (name: string) => string; lines: (name: string, day: string, limit: string) => [string, string] }
> = {
  reset: {
    path: '/reset-password',
    action: 'Choose a new password',
    subject: (name) => `Reset your ${name} password`,
    lines: (siteName, _day, timeLimit) => [
      `Someone, probably you, asked to reset the password of your ${siteName} account. To choose a new one, open this link ${timeLimit}:`,
      'The link works once. If it was not you, there is nothing to do: your password stays as it is.',
    ],
  },
  verify: {
    path: '/verify-email',
    action: 'Confirm my address',
    subject: (name) => `Confirm your address for ${name}`,
    lines: (siteName, dayText, timeLimit) => [
      `A ${siteName} account was created with this address on ${dayText} (UTC). If it is yours, log in and open this link ${timeLimit} to confirm the address:`,
      'The link works once. If you did not create an account, do not confirm it: ignore this mail, or reset the password of the account, which makes it yours.',
    ],
  },
}

interface MailedCode {
  text: string
  expiresMs: number
}

/**
 * Creates the mail with the link that contains a code. The mail is dated `atMs` and states when the code expires: at `expiresMs`, which is less
 * than an hour later if the same code was mailed before.
 */
export function createCodeMail(
  kind: CodeKind,
  account: Account,
  { text: codeText, expiresMs }: MailedCode,
  atMs: number,
  context: MailContext,
): Mail {
  const { path, action, subject, lines } = codeMailTextsByKind[kind]
  const siteName = formatSiteName(context)
  const codeUrl = `${context.origin}${path}?oobCode=${codeText}`
  const timeLimit = `within ${Math.floor((expiresMs - atMs) / 60_000)} minutes (until ${formatMinute(expiresMs)} UTC)`
  const [textBeforeLink, textAfterLink] = lines(siteName, formatDay(account.createdMs), timeLimit)
  return {
    to: account.email,
    sender: siteName,
    subject: subject(siteName),
    text: ['Hello,', textBeforeLink, codeUrl, textAfterLink, createSignature(context)].join('\n\n'),
    link: codeUrl,
    action,
    expiresMs,
  }
}

/** The time in milliseconds after which an unsent notice of a changed password is given up. */
const NOTICE_LIFETIME_MS = 3 * DAY_MS

export function createPasswordChangeMail(recipientAddress: string, changedAtMs: number, context: MailContext): Mail {
  const siteName = formatSiteName(context)
  const resetUrl = `${context.origin}/forgot-password`
  const mailLines = [
    'Hello,',
    `The password of your ${siteName} account was changed on ${formatMinute(changedAtMs)} (UTC). All devices were signed out.`,
    'If it was you, there is nothing to do. If it was not, choose a new password at once:',
    resetUrl,
    createSignature(context),
  ]
  return {
    to: recipientAddress,
    sender: siteName,
    subject: `Your ${siteName} password was changed`,
    text: mailLines.join('\n\n'),
    link: resetUrl,
    action: 'Choose a new password',
    expiresMs: changedAtMs + NOTICE_LIFETIME_MS,
  }
}
