import type { CodeKind } from '../storage/interfaces/accounts.ts'
import type { Mail } from '../storage/interfaces/mails.ts'

export interface MailContext {
  /** The origin of the links in mails, from the configuration. */
  origin: string
  /** The name of the site that the mail is about. */
  siteName: string
}

const texts: Record<CodeKind, { path: string; subject: (name: string) => string; lines: (name: string) => readonly [string, string] }> = {
  reset: {
    path: '/reset-password',
    subject: (name) => `Reset your ${name} password`,
    lines: (name) => [
      `Somebody, probably you, asked to reset the password of your ${name} account. To choose a new one, open this link within an hour:`,
      'The link works once. If it was not you, there is nothing to do: your password stays as it is.',
    ],
  },
  verify: {
    path: '/verify-email',
    subject: (name) => `Confirm your address for ${name}`,
    lines: (name) => [
      `To confirm that this is the address of your ${name} account, open this link within an hour:`,
      'The link works once. If you have no account with us, you can ignore this mail.',
    ],
  },
}

/** Creates the mail with the link of a code that expires at `expiresMs`. Whitespace in the site's name is normalised, which prevents header injection. */
export function codeMail(kind: CodeKind, to: string, code: string, expiresMs: number, { origin, siteName }: MailContext): Mail {
  const { path, subject, lines } = texts[kind]
  const name = siteName.replace(/\s+/g, ' ')
  const link = `${origin}${path}?oobCode=${code}`
  const [linesBefore, linesAfter] = lines(name)
  return { to, subject: subject(name), text: ['Hello,', linesBefore, link, linesAfter, name].join('\n\n'), link, expiresMs }
}
