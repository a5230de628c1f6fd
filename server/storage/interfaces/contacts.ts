import type { ContactRequest, SentMessage } from '../../../contract/contact.ts'
import type { Mail, MailState } from './mails.ts'
import type { Pagination } from '../pagination.ts'
import type { RoleHolder } from './roles.ts'

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
  /**
   * Stores a message and the mail to the team about it, both or none. A message whose `change_id` was already stored is ignored. Returns false if the messages
   * of 24 hours have reached their number.
   */
  add(request: ContactRequest & { brandId: string; atMs: number; uid?: string }, mail?: Mail): Promise<boolean>
  /** Lists the messages, newest first. */
  list(page: Pagination): Promise<ContactMessage[]>
  /** Lists the messages that an account sent, or that give its verified address, newest first. */
  listOf(holder: RoleHolder): Promise<SentMessage[]>
  /** Deletes the messages that `listOf` lists, and the mails about them. */
  deleteAll(holder: RoleHolder): Promise<void>
}
