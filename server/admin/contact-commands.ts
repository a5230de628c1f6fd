import type { ContactStore, Storage } from '../storage/storage.ts'
import { type Command, printable, takeOperands } from './command.ts'

const PAGE_ROWS = 10_000

type Contact = Awaited<ReturnType<ContactStore['all']>>[number]

async function everyContact({ contacts }: Storage): Promise<Contact[]> {
  const all: Contact[] = []
  for (;;) {
    const page = await contacts.all({ limit: PAGE_ROWS, offset: all.length })
    all.push(...page)
    if (page.length < PAGE_ROWS) return all
  }
}

function lineOf(contact: Contact): string {
  const from = [contact.email, contact.discord, contact.youtube_url]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => printable(part ?? ''))
  const reminder = contact.remember === 'Yes' ? ['(wants a reminder)'] : []
  return [`#${contact.id}`, contact.created, contact.brand, contact.topic, from.join(', '), printable(contact.message ?? ''), ...reminder]
    .filter((part) => part !== '')
    .join('  ')
}

export const contactList: Command = {
  words: 'contact list',
  synopsis: '',
  summary: 'Lists the messages to the team, newest first.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const contacts = await everyContact(storage)
    return { text: contacts.length === 0 ? 'No messages.' : contacts.map(lineOf).join('\n'), data: contacts }
  },
}
