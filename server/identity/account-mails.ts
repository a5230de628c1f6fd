import type { Mail } from '../services/mail.ts'
import type { CodeKind } from '../storage/storage.ts'

export interface MailContext {
  /** The origin that links lead to, of configuration. */
  origin: string
  /** The site's name. */
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

/** The mail that carries a code. A line break in the site's name cannot become a header of the mail. */
export function codeMail(kind: CodeKind, to: string, code: string, { origin, siteName }: MailContext): Mail {
  const { path, subject, lines } = texts[kind]
  const name = siteName.replace(/\s+/g, ' ')
  const link = `${origin}${path}?oobCode=${code}`
  const [before, after] = lines(name)
  return { to, subject: subject(name), text: ['Hello,', before, link, after, name].join('\n\n'), link }
}
