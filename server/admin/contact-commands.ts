import type { ContactStore } from '../storage/interfaces/contacts.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, takeOperands, toPrintable } from './command.ts'

const PAGE_ROWS = 10_000

type Contact = Awaited<ReturnType<ContactStore['list']>>[number]

async function readAllContacts({ contacts }: Storage): Promise<Contact[]> {
  const allRows: Contact[] = []
  for (;;) {
    const page = await contacts.list({ limit: PAGE_ROWS, offset: allRows.length })
    allRows.push(...page)
    if (page.length < PAGE_ROWS) return allRows
  }
}

function contactLine(contact: Contact): string {
  const senderFields = [contact.email, contact.discord, contact.youtube_url]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => toPrintable(part ?? ''))
  const reminderNote = contact.remember === 'Yes' ? ['(wants a reminder)'] : []
  return [
    `#${contact.id}`,
    contact.created,
    contact.brand,
    contact.topic,
    senderFields.join(', '),
    toPrintable(contact.message ?? ''),
    ...reminderNote,
  ]
    .filter((part) => part !== '')
    .join('  ')
}

export const contactList: Command = {
  commandWords: 'contact list',
  synopsis: '',
  summary: 'Lists the messages to the team, newest first.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const contacts = await readAllContacts(storage)
    return { text: contacts.length === 0 ? 'No messages.' : contacts.map(contactLine).join('\n'), data: contacts }
  },
}
