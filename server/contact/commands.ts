import { defineCommand, toPrintable } from '../admin/command.ts'
import type { MailState } from '../mail/store.ts'
import type { Storage } from '../storage/open.ts'
import type { ContactStore } from './store.ts'

const ROWS_PER_PAGE = 10_000

type Contact = Awaited<ReturnType<ContactStore['list']>>[number]

async function readAllContacts({ contacts }: Storage): Promise<Contact[]> {
  const allRows: Contact[] = []
  for (;;) {
    const page = await contacts.list({ limit: ROWS_PER_PAGE, offset: allRows.length })
    allRows.push(...page)
    if (page.length < ROWS_PER_PAGE) return allRows
  }
}

/** Returns the delivery state of the mail to MAIL_TO about a message, in brackets. */
function describeMail({ kind, sent, failure }: MailState): string {
  if (kind === 'sent') return `(mailed ${sent})`
  const reason = failure === undefined ? '' : `: ${toPrintable(failure)}`
  return kind === 'waiting' ? `(mail waiting${reason})` : `(mail not sent${reason})`
}

function formatContactLine(contact: Contact): string {
  const senderFields = [contact.email, contact.discord, contact.youtube_url]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => toPrintable(part ?? ''))
  const reminderNote = contact.remember === 'Yes' ? ['(reminder confirmed)'] : []
  const mailNote = contact.mail === undefined ? [] : [describeMail(contact.mail)]
  return [
    `#${contact.id}`,
    contact.created,
    contact.brand,
    contact.topic,
    senderFields.join(', '),
    toPrintable(contact.message ?? ''),
    ...reminderNote,
    ...mailNote,
  ]
    .filter((part) => part !== '')
    .join('  ')
}

export const contactListCommand = defineCommand({
  words: 'contact list',
  summary: 'Lists the messages to the team, newest first, with what became of the mail about each.',
  run: async (_args, { storage }) => {
    const contacts = await readAllContacts(storage)
    return { text: contacts.length === 0 ? 'No messages.' : contacts.map(formatContactLine).join('\n'), data: contacts }
  },
})
