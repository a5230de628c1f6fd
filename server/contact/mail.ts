import type { ContactRequest } from '../../contract/contact.ts'
import { isEmail } from '../../contract/form-rules.ts'
import { removeHiddenCharacters } from '../../contract/text.ts'
import { DAY_MS } from '../durations.ts'
import type { Mail } from '../mail/store.ts'

/** The time after which delivery of an unsent mail is given up. The contact message itself remains in the database. */
const CONTACT_MAIL_LIFETIME_MS = 7 * DAY_MS

/** Puts a header's text on one line, which prevents header injection. */
const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Creates the mail that notifies the team of a message. Replies go to its sender. */
export function createContactMail(
  { topic, email = '', discord, youtube_url, message, remember }: ContactRequest,
  { to, siteName, atMs }: { to: string; siteName: string; atMs: number },
): Mail {
  const mailFields = [
    ['Topic', topic],
    ['Email', email],
    ['Discord', discord],
    ['YouTube', youtube_url],
    ['Reminder confirmed', remember],
  ]
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${toOneLine(value ?? '')}`)
  return {
    to,
    sender: toOneLine(siteName),
    replyTo: isEmail(email) ? email : undefined,
    subject: `${toOneLine(siteName)}: ${topic}`,
    // Invisible characters are removed instead of refused, because the sender may have pasted them unknowingly.
    text: removeHiddenCharacters([mailFields.join('\n'), message ?? ''].join('\n\n')).trim(),
    expiresMs: atMs + CONTACT_MAIL_LIFETIME_MS,
  }
}
