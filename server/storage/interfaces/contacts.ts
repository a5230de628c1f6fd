import type { ContactRequest } from '../../../contract/contact.ts'
import type { Mail, MailState } from './mails.ts'
import type { Pagination } from './pagination.ts'

/** A stored message of the contact form. */
export type ContactMessage = ContactRequest & {
  id: string
  /** The id of the brand whose contact form was used. */
  brand: string
  /** The time when the message was sent, in ISO 8601 UTC. */
  created: string
  /** What became of the mail to the team; missing if none was to be sent, or if it was sent long ago. */
  mail?: MailState
}

export interface ContactStore {
  /** Stores a message and the mail to the team about it, both or none. A message whose `change_id` was already stored is ignored. */
  add(request: ContactRequest & { brandId: string; atMs: number }, mail?: Mail): Promise<void>
  /** Lists the messages, newest first. */
  list(page: Pagination): Promise<ContactMessage[]>
}
